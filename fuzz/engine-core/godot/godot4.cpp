// The core of Godot 4 for the fuzz targets: the parts of the engine that `core/` expects from other folders, and the
// functions of engine.h. Compiled with the definitions and folders that SCons uses for `core/`.

#include "engine.h"

#include "core/config/engine.h"
#include "core/config/project_settings.h"
#include "core/core_globals.h"
#include "core/io/marshalls.h"
#include "core/object/class_db.h"
#include "core/object/object.h"
#include "core/object/script_language.h"
#include "core/os/thread.h"
#include "core/os/thread_safe.h"
#include "core/register_core_types.h"
#include "core/variant/typed_array.h"
#include "core/variant/variant.h"
#include "drivers/unix/os_unix.h"

// What `core/` reads of `servers/`: there are no servers. It calls nothing else of other folders here.
extern "C" {
void *display_server asm("_ZN13DisplayServer9singletonE") = nullptr; // DisplayServer::singleton
void *rendering_server() asm("_ZN15RenderingServer13get_singletonEv"); // RenderingServer::get_singleton
void *rendering_server() { return nullptr; }
void *rendering_device() asm("_ZN15RenderingDevice13get_singletonEv"); // RenderingDevice::get_singleton
void *rendering_device() { return nullptr; }
}

// An OS that has what OS_Unix has, and no main loop.
class OS_Fuzz : public OS_Unix {
public:
	virtual void initialize() override { initialize_core(); }
	virtual void initialize_joypads() override {}
	virtual void set_main_loop(MainLoop *) override {}
	virtual void delete_main_loop() override {}
	virtual void finalize() override {}
	virtual bool _check_internal_feature_support(const String &) override { return false; }
	virtual MainLoop *get_main_loop() const override { return nullptr; }
};

class FuzzScript;

// An object's script: two properties that are stored, one without a type and one that only takes ints, as a script with
// `@export var any` and `@export var number: int`.
class FuzzScriptInstance : public ScriptInstance {
	Object *owner;
	Ref<FuzzScript> script;
	Variant any;
	int64_t number = 0;

public:
	FuzzScriptInstance(Object *p_owner, const Ref<FuzzScript> &p_script) :
			owner(p_owner), script(p_script) {}

	virtual bool set(const StringName &p_name, const Variant &p_value) override {
		if (p_name == SNAME("any")) {
			any = p_value;
			return true;
		}
		if (p_name == SNAME("number") && (p_value.get_type() == Variant::INT || p_value.get_type() == Variant::FLOAT)) {
			number = p_value;
			return true;
		}
		return false;
	}
	virtual bool get(const StringName &p_name, Variant &r_value) const override {
		if (p_name == SNAME("any")) {
			r_value = any;
			return true;
		}
		if (p_name == SNAME("number")) {
			r_value = number;
			return true;
		}
		return false;
	}
	virtual void get_property_list(List<PropertyInfo> *p_properties) const override {
		p_properties->push_back(PropertyInfo(Variant::NIL, "any", PROPERTY_HINT_NONE, "", PROPERTY_USAGE_SCRIPT_VARIABLE | PROPERTY_USAGE_DEFAULT));
		p_properties->push_back(PropertyInfo(Variant::INT, "number", PROPERTY_HINT_NONE, "", PROPERTY_USAGE_SCRIPT_VARIABLE | PROPERTY_USAGE_DEFAULT));
	}
	virtual Variant::Type get_property_type(const StringName &p_name, bool *r_is_valid) const override {
		if (r_is_valid) {
			*r_is_valid = p_name == SNAME("any") || p_name == SNAME("number");
		}
		return p_name == SNAME("number") ? Variant::INT : Variant::NIL;
	}
	virtual void validate_property(PropertyInfo &) const override {}
	virtual bool property_can_revert(const StringName &) const override { return false; }
	virtual bool property_get_revert(const StringName &, Variant &) const override { return false; }
	virtual Object *get_owner() override { return owner; }
	virtual void get_method_list(List<MethodInfo> *) const override {}
	virtual bool has_method(const StringName &) const override { return false; }
	virtual Variant callp(const StringName &, const Variant **, int, Callable::CallError &r_error) override {
		r_error.error = Callable::CallError::CALL_ERROR_INVALID_METHOD;
		return Variant();
	}
	virtual void notification(int, bool) override {}
	virtual Ref<Script> get_script() const override;
	virtual ScriptLanguage *get_language() override;
};

// A language without a compiler. Its scripts are made in `Main::start`.
class FuzzLanguage : public ScriptLanguage {
	GDCLASS(FuzzLanguage, ScriptLanguage);

public:
	virtual String get_name() const override { return "Fuzz"; }
	virtual void init() override {}
	virtual String get_type() const override { return "FuzzScript"; }
	virtual String get_extension() const override { return "fuzz"; }
	virtual void finish() override {}
	virtual Vector<String> get_reserved_words() const override { return Vector<String>(); }
	virtual bool is_control_flow_keyword(const String &) const override { return false; }
	virtual Vector<String> get_comment_delimiters() const override { return Vector<String>(); }
	virtual Vector<String> get_doc_comment_delimiters() const override { return Vector<String>(); }
	virtual Vector<String> get_string_delimiters() const override { return Vector<String>(); }
	virtual bool validate(const String &, const String &, List<String> *, List<ScriptError> *, List<Warning> *, HashSet<int> *) const override { return true; }
	virtual Script *create_script() const override { return nullptr; }
	virtual bool supports_builtin_mode() const override { return false; }
	virtual int find_function(const String &, const String &) const override { return -1; }
	virtual String make_function(const String &, const String &, const PackedStringArray &) const override { return String(); }
	virtual void auto_indent_code(String &, int, int) const override {}
	virtual void add_global_constant(const StringName &, const Variant &) override {}
	virtual String debug_get_error() const override { return String(); }
	virtual int debug_get_stack_level_count() const override { return 0; }
	virtual int debug_get_stack_level_line(int) const override { return 0; }
	virtual String debug_get_stack_level_function(int) const override { return String(); }
	virtual String debug_get_stack_level_source(int) const override { return String(); }
	virtual void debug_get_stack_level_locals(int, List<String> *, List<Variant> *, int, int) override {}
	virtual void debug_get_stack_level_members(int, List<String> *, List<Variant> *, int, int) override {}
	virtual void debug_get_globals(List<String> *, List<Variant> *, int, int) override {}
	virtual String debug_parse_stack_level_expression(int, const String &, int, int) override { return String(); }
	virtual void reload_all_scripts() override {}
	virtual void reload_scripts(const Array &, bool) override {}
	virtual void reload_tool_script(const Ref<Script> &, bool) override {}
	virtual void get_recognized_extensions(List<String> *) const override {}
	virtual void get_public_functions(List<MethodInfo> *) const override {}
	virtual void get_public_constants(List<Pair<String, Variant>> *) const override {}
	virtual void get_public_annotations(List<MethodInfo> *) const override {}
	virtual void profiling_start() override {}
	virtual void profiling_stop() override {}
	virtual void profiling_set_save_native_calls(bool) override {}
	virtual int profiling_get_accumulated_data(ProfilingInfo *, int) override { return 0; }
	virtual int profiling_get_frame_data(ProfilingInfo *, int) override { return 0; }
};

static FuzzLanguage *language = nullptr;

// A script that extends a class of the engine, or another script.
class FuzzScript : public Script {
	GDCLASS(FuzzScript, Script);

public:
	StringName extends;
	Ref<FuzzScript> base;

	virtual bool can_instantiate() const override { return true; }
	virtual Ref<Script> get_base_script() const override { return base; }
	virtual StringName get_global_name() const override { return StringName(); }
	virtual bool inherits_script(const Ref<Script> &p_script) const override { return p_script == Ref<Script>(this) || (base.is_valid() && base->inherits_script(p_script)); }
	virtual StringName get_instance_base_type() const override { return extends; }
	virtual ScriptInstance *instance_create(Object *p_this) override {
		// A script only fits objects of the class that it extends.
		return ClassDB::is_parent_class(p_this->get_class_name(), extends) ? memnew(FuzzScriptInstance(p_this, Ref<FuzzScript>(this))) : nullptr;
	}
	virtual bool instance_has(const Object *) const override { return false; }
	virtual bool has_source_code() const override { return false; }
	virtual String get_source_code() const override { return String(); }
	virtual void set_source_code(const String &) override {}
	virtual Error reload(bool) override { return OK; }
#ifdef TOOLS_ENABLED
#error "The core is built as a template."
#endif
	virtual bool has_method(const StringName &) const override { return false; }
	virtual MethodInfo get_method_info(const StringName &) const override { return MethodInfo(); }
	virtual bool is_tool() const override { return true; }
	virtual bool is_valid() const override { return true; }
	virtual bool is_abstract() const override { return false; }
	virtual ScriptLanguage *get_language() const override { return language; }
	virtual bool has_script_signal(const StringName &) const override { return false; }
	virtual void get_script_signal_list(List<MethodInfo> *) const override {}
	virtual bool get_property_default_value(const StringName &, Variant &) const override { return false; }
	virtual void get_script_method_list(List<MethodInfo> *) const override {}
	virtual void get_script_property_list(List<PropertyInfo> *) const override {}
	virtual const Variant get_rpc_config() const override { return Variant(); }
};

Ref<Script> FuzzScriptInstance::get_script() const {
	return script;
}

ScriptLanguage *FuzzScriptInstance::get_language() {
	return language;
}

// Kept, so that the loader finds them in its cache.
static Ref<FuzzScript> scripts[3];

static void add_script(int p_index, const String &p_path, const StringName &p_extends, const Ref<FuzzScript> &p_base) {
	scripts[p_index].instantiate();
	scripts[p_index]->extends = p_extends;
	scripts[p_index]->base = p_base;
	scripts[p_index]->set_path(p_path);
}

// OS and Thread have a friend with this name.
class Main {
public:
	static void start() {
		Thread::make_main_thread();
		set_current_thread_safe_for_nodes(true);
		static OS_Fuzz *os = new OS_Fuzz;
		os->initialize();
		CoreGlobals::print_ready = true;
		// Messages take longer than reading.
		os->set_stderr_enabled(false);
		CoreGlobals::print_error_enabled = false;
		memnew(Engine);
		register_core_types();
		memnew(ProjectSettings);
		register_core_settings();
		ClassDB::set_current_api(ClassDB::API_NONE);
		language = memnew(FuzzLanguage);
		add_script(0, "res://reference.fuzz", "RefCounted", Ref<FuzzScript>());
		add_script(1, "res://inheriting.fuzz", "RefCounted", scripts[0]);
		add_script(2, "res://resource.fuzz", "Resource", Ref<FuzzScript>());
	}
};

// Makes a value from a recipe. As in recipe.gd, a container follows its members, so nothing is recursive.
class Recipe {
	RecipeReader reader;
	LocalVector<Variant> made;

	template <typename T>
	T get() { return reader.get<T>(); }
	real_t real() { return get<real_t>(); }
	int32_t integer() { return get<int32_t>(); }
	Vector2 vector2() {
		real_t x = real(), y = real();
		return Vector2(x, y);
	}
	Vector3 vector3() {
		real_t x = real(), y = real(), z = real();
		return Vector3(x, y, z);
	}
	Vector4 vector4() {
		real_t x = real(), y = real(), z = real(), w = real();
		return Vector4(x, y, z, w);
	}
	Basis basis() {
		Basis basis;
		for (int row = 0; row < 3; row++) {
			basis.rows[row] = vector3();
		}
		return basis;
	}
	Color color() {
		float r = get<float>(), g = get<float>(), b = get<float>(), a = get<float>();
		return Color(r, g, b, a);
	}
	String text() {
		String text;
		uint32_t count = get<uint32_t>();
		LocalVector<char32_t> units;
		units.resize(count);
		for (char32_t &unit : units) {
			unit = get<uint32_t>();
		}
		text.append_utf32(Span<char32_t>(units.ptr(), count));
		return text;
	}
	template <typename T, typename F>
	Vector<T> packed(F p_element) {
		Vector<T> elements;
		elements.resize(get<uint32_t>());
		T *element = elements.ptrw();
		for (int index = 0; index < elements.size(); index++) {
			element[index] = p_element();
		}
		return elements;
	}
	// Removes the last values, which become members.
	LocalVector<Variant> taken(uint32_t p_count) {
		LocalVector<Variant> members;
		if (p_count > made.size()) {
			__builtin_trap();
		}
		for (uint32_t index = made.size() - p_count; index < made.size(); index++) {
			members.push_back(made[index]);
		}
		made.resize(made.size() - p_count);
		return members;
	}
	// Only objects have a class.
	StringName class_of(uint8_t p_type) { return p_type == Variant::OBJECT ? StringName(text()) : StringName(); }

	Variant array() {
		uint32_t count = get<uint32_t>();
		uint8_t type = get<uint8_t>();
		StringName class_name = class_of(type);
		Array array;
		for (const Variant &member : taken(count)) {
			array.push_back(member);
		}
		return type == Variant::NIL ? array : Array(array, type, class_name, Variant());
	}
	Variant dictionary() {
		uint32_t count = get<uint32_t>();
		uint8_t key_type = get<uint8_t>();
		StringName key_class = class_of(key_type);
		uint8_t value_type = get<uint8_t>();
		StringName value_class = class_of(value_type);
		LocalVector<Variant> members = taken(count * 2);
		Dictionary dictionary;
		for (uint32_t index = 0; index < members.size(); index += 2) {
			dictionary[members[index]] = members[index + 1];
		}
		if (key_type == Variant::NIL && value_type == Variant::NIL) {
			return dictionary;
		}
		return Dictionary(dictionary, key_type, key_class, Variant(), value_type, value_class, Variant());
	}
	Variant object() {
		int32_t count = integer();
		if (count < 0) {
			Ref<EncodedObjectAsID> by_id;
			by_id.instantiate();
			by_id->set_object_id(ObjectID(get<uint64_t>()));
			return by_id;
		}
		Ref<RefCounted> object;
		object.instantiate();
		int index = 0;
		for (const Variant &member : taken(count)) {
			object->set_meta("m" + itos(index++), member);
		}
		return object;
	}
	Variant value(uint8_t p_type) {
		switch (p_type) {
			case Variant::NIL:
				return Variant();
			case Variant::BOOL:
				return get<uint8_t>() != 0;
			case Variant::INT:
				return get<int64_t>();
			case Variant::FLOAT:
				return get<double>();
			case Variant::STRING:
				return text();
			case Variant::VECTOR2:
				return vector2();
			case Variant::VECTOR2I: {
				int32_t x = integer(), y = integer();
				return Vector2i(x, y);
			}
			case Variant::RECT2: {
				Vector2 position = vector2(), size = vector2();
				return Rect2(position, size);
			}
			case Variant::RECT2I: {
				int32_t x = integer(), y = integer(), width = integer(), height = integer();
				return Rect2i(x, y, width, height);
			}
			case Variant::VECTOR3:
				return vector3();
			case Variant::VECTOR3I: {
				int32_t x = integer(), y = integer(), z = integer();
				return Vector3i(x, y, z);
			}
			case Variant::TRANSFORM2D: {
				Vector2 x = vector2(), y = vector2(), origin = vector2();
				return Transform2D(x, y, origin);
			}
			case Variant::VECTOR4:
				return vector4();
			case Variant::VECTOR4I: {
				int32_t x = integer(), y = integer(), z = integer(), w = integer();
				return Vector4i(x, y, z, w);
			}
			case Variant::PLANE: {
				Vector3 normal = vector3();
				return Plane(normal, real());
			}
			case Variant::QUATERNION: {
				Vector4 q = vector4();
				return Quaternion(q.x, q.y, q.z, q.w);
			}
			case Variant::AABB: {
				Vector3 position = vector3(), size = vector3();
				return AABB(position, size);
			}
			case Variant::BASIS:
				return basis();
			case Variant::TRANSFORM3D: {
				Basis rows = basis();
				return Transform3D(rows, vector3());
			}
			case Variant::PROJECTION: {
				Vector4 x = vector4(), y = vector4(), z = vector4(), w = vector4();
				return Projection(x, y, z, w);
			}
			case Variant::COLOR:
				return color();
			case Variant::STRING_NAME:
				return StringName(text());
			case Variant::NODE_PATH:
				return NodePath(text());
			case Variant::RID:
				return RID::from_uint64(get<uint64_t>());
			case Variant::OBJECT:
				return object();
			case Variant::CALLABLE:
				return Callable();
			case Variant::SIGNAL:
				return Signal();
			case Variant::DICTIONARY:
				return dictionary();
			case Variant::ARRAY:
				return array();
			case Variant::PACKED_BYTE_ARRAY:
				return packed<uint8_t>([&] { return get<uint8_t>(); });
			case Variant::PACKED_INT32_ARRAY:
				return packed<int32_t>([&] { return integer(); });
			case Variant::PACKED_INT64_ARRAY:
				return packed<int64_t>([&] { return get<int64_t>(); });
			case Variant::PACKED_FLOAT32_ARRAY:
				return packed<float>([&] { return get<float>(); });
			case Variant::PACKED_FLOAT64_ARRAY:
				return packed<double>([&] { return get<double>(); });
			case Variant::PACKED_STRING_ARRAY:
				return packed<String>([&] { return text(); });
			case Variant::PACKED_VECTOR2_ARRAY:
				return packed<Vector2>([&] { return vector2(); });
			case Variant::PACKED_VECTOR3_ARRAY:
				return packed<Vector3>([&] { return vector3(); });
			case Variant::PACKED_COLOR_ARRAY:
				return packed<Color>([&] { return color(); });
			case Variant::PACKED_VECTOR4_ARRAY:
				return packed<Vector4>([&] { return vector4(); });
		}
		__builtin_trap();
	}

public:
	Recipe(const uint8_t *p_recipe, int32_t p_length) :
			reader{ p_recipe, p_recipe + p_length } {}

	Variant make() {
		while (reader.at < reader.end) {
			made.push_back(value(get<uint8_t>()));
		}
		return made.is_empty() ? Variant() : made[made.size() - 1];
	}
};

// Godot keeps pointers into the middle of its blocks, which LeakSanitizer does not follow.
extern "C" __attribute__((weak)) void __lsan_disable();
extern "C" __attribute__((weak)) void __lsan_enable();

void engine_start() {
	if (__lsan_disable) {
		__lsan_disable();
	}
	Main::start();
	if (__lsan_enable) {
		__lsan_enable();
	}
}

bool engine_creates(const char *p_class) {
	return ClassDB::can_instantiate(String::utf8(p_class));
}

#include "shared.h"
