// The functions of engine.h that are the same in every version. Included by each version's file after its `Recipe`.

// Returns the written bytes, whose memory is used again.
static int32_t write(const Variant &p_value, bool p_objects, const uint8_t **r_written) {
	static uint8_t *written = nullptr;
	static int room = 0;
	int length = 0;
	*r_written = written;
	if (encode_variant(p_value, nullptr, length, p_objects) != OK) {
		return 0;
	}
	if (length > room) {
		written = (uint8_t *)realloc(written, length);
		room = length;
		*r_written = written;
	}
#ifdef LEAVES_PADDING
	// The engine does not write the padding of a NodePath.
	if (length > 0) {
		memset(written, 0, length);
	}
#endif
	return encode_variant(p_value, written, length, p_objects) == OK ? length : 0;
}

int32_t engine_read(const uint8_t *p_bytes, int32_t p_length, bool p_objects, const uint8_t **r_written, int32_t *r_written_length) {
	Variant value;
	int used = 0;
	*r_written_length = 0;
	if (decode_variant(value, p_bytes, p_length, &used, p_objects) != OK) {
		return 0;
	}
	*r_written_length = write(value, p_objects, r_written);
	return used;
}

int32_t engine_write(const uint8_t *p_recipe, int32_t p_length, bool p_objects, const uint8_t **r_written) {
	return write(Recipe(p_recipe, p_length).make(), p_objects, r_written);
}

int64_t engine_objects() {
	return ObjectDB::get_object_count();
}

void engine_counters(uint8_t **r_begin, uint8_t **r_end) {
	*r_begin = __start___sancov_cntrs;
	*r_end = __stop___sancov_cntrs;
}

void engine_finish() {
	if (__llvm_profile_write_file) {
		__llvm_profile_write_file();
	}
}
