// What the fuzz targets call in a core of Godot. Each version has its own implementation.
//
// A core is one library with its own coverage counters. It is used from one thread.

#pragma once

#include <stdint.h>

extern "C" {

// Starts the core. Called once, before anything else.
void engine_start();

// Reads a packet as `bytes_to_var` does and writes the value as `var_to_bytes` does, both with full objects or both
// without. Returns the number of bytes that the value takes, or 0 if the packet is rejected. The written bytes are valid
// until the next call; their number is 0 if the value is refused.
int32_t engine_read(const uint8_t *p_bytes, int32_t p_length, bool p_objects, const uint8_t **r_written, int32_t *r_written_length);

// Makes a value from a recipe (conformance/src/recipe.rs) and writes it as `var_to_bytes` does. Components of math types
// have the size of the engine's `real_t`. Returns the number of written bytes, or 0 if the value is refused. They are
// valid until the next call.
int32_t engine_write(const uint8_t *p_recipe, int32_t p_length, bool p_objects, const uint8_t **r_written);

// Returns the number of objects that exist.
int64_t engine_objects();

// Returns whether a class with this name can be created.
bool engine_creates(const char *p_class);

// Returns the range of the coverage counters. It is empty in a core without them.
void engine_counters(uint8_t **r_begin, uint8_t **r_end);

// Writes the counters of lines, in a core with them. Called once, after everything else.
void engine_finish();
}

// Set by the linker.
extern "C" __attribute__((weak, visibility("hidden"))) uint8_t __start___sancov_cntrs[];
extern "C" __attribute__((weak, visibility("hidden"))) uint8_t __stop___sancov_cntrs[];

// In clang's runtime.
extern "C" __attribute__((weak)) int __llvm_profile_write_file();

// Reads the numbers of a recipe, which are little-endian.
struct RecipeReader {
	const uint8_t *at;
	const uint8_t *end;

	template <typename T>
	T get() {
		T value;
		if ((size_t)(end - at) < sizeof(T)) {
			__builtin_trap();
		}
		__builtin_memcpy(&value, at, sizeof(T));
		at += sizeof(T);
		return value;
	}
};
