// The core of Godot 3 for the fuzz targets, as godot4.cpp. It has no scripts.

#include "engine.h"

#include "core/engine.h"
#include "core/io/marshalls.h"
#include "core/message_queue.h"
#include "core/object.h"
#include "core/print_string.h"
#include "core/project_settings.h"
#include "core/register_core_types.h"
#include "core/rid.h"
#include "core/variant.h"
#include "core/version.h"
#include "drivers/unix/os_unix.h"

// What `core/` reads of `scene/` and `main/`: the types of classes that no object has here. The
// functions are bound to scripts and never called.
#define NEVER_CALLED(m_name, m_symbol) \
	void m_name() asm(m_symbol); \
	void m_name() { __builtin_trap(); }
extern "C" {
NEVER_CALLED(input_get_vector, "_ZNK5Input10get_vectorERK10StringNameS2_S2_S2_f")
NEVER_CALLED(input_get_axis, "_ZNK5Input8get_axisERK10StringNameS2_")
extern void *class_type_info[] asm("_ZTVN10__cxxabiv117__class_type_infoE"); // The table of std::type_info.
struct Type {
	void *table;
	const char *name;
};
Type type_of_input asm("_ZTI12InputDefault") = { class_type_info + 2, "12InputDefault" };
Type type_of_node asm("_ZTI4Node") = { class_type_info + 2, "4Node" };
Type type_of_control asm("_ZTI7Control") = { class_type_info + 2, "7Control" };
void *scene_string_names asm("_ZN16SceneStringNames9singletonE") = NULL; // SceneStringNames::singleton
}

class OS_Fuzz : public OS_Unix {
public:
	virtual int get_video_driver_count() const { return 0; }
	virtual const char *get_video_driver_name(int) const { return ""; }
	virtual int get_current_video_driver() const { return 0; }
	virtual int get_audio_driver_count() const { return 0; }
	virtual const char *get_audio_driver_name(int) const { return ""; }
	virtual void initialize_core() { OS_Unix::initialize_core(); }
	virtual Error initialize(const VideoMode &, int, int) { return OK; }
	virtual void finalize() {}
	virtual void set_main_loop(MainLoop *) {}
	virtual void delete_main_loop() {}
	virtual String get_name() const { return "Fuzz"; }
	virtual Point2 get_mouse_position() const { return Point2(); }
	virtual int get_mouse_button_state() const { return 0; }
	virtual void set_window_title(const String &) {}
	virtual MainLoop *get_main_loop() const { return NULL; }
	virtual bool can_draw() const { return false; }
	virtual void set_video_mode(const VideoMode &, int) {}
	virtual VideoMode get_video_mode(int) const { return VideoMode(); }
	virtual void get_fullscreen_mode_list(List<VideoMode> *, int) const {}
	virtual Size2 get_window_size() const { return Size2(); }
	virtual OS::PowerState get_power_state() { return OS::POWERSTATE_UNKNOWN; }
	virtual int get_power_seconds_left() { return -1; }
	virtual int get_power_percent_left() { return -1; }
	virtual bool _check_internal_feature_support(const String &) { return false; }
};

// Makes a value from a recipe. As in recipe.gd, a container follows its members, so nothing is recursive.
class Recipe {
	RecipeReader reader;
	Vector<Variant> made;

	template <typename T>
	T get() { return reader.get<T>(); }
	real_t real() { return get<real_t>(); }
	Vector2 vector2() {
		real_t x = real(), y = real();
		return Vector2(x, y);
	}
	Vector3 vector3() {
		real_t x = real(), y = real(), z = real();
		return Vector3(x, y, z);
	}
	Basis basis() {
		Basis basis;
		for (int row = 0; row < 3; row++) {
			basis.elements[row] = vector3();
		}
		return basis;
	}
	Color color() {
		float r = get<float>(), g = get<float>(), b = get<float>(), a = get<float>();
		return Color(r, g, b, a);
	}
	String text() {
		String text;
		for (uint32_t count = get<uint32_t>(); count > 0; count--) {
			text += String::chr(get<uint32_t>());
		}
		return text;
	}
	template <typename T, typename F>
	PoolVector<T> packed(F p_element) {
		PoolVector<T> elements;
		for (uint32_t count = get<uint32_t>(); count > 0; count--) {
			elements.push_back(p_element());
		}
		return elements;
	}
	// Removes the last values, which become members.
	Vector<Variant> taken(uint32_t p_count) {
		Vector<Variant> members;
		if (p_count > (uint32_t)made.size()) {
			__builtin_trap();
		}
		for (int index = made.size() - p_count; index < made.size(); index++) {
			members.push_back(made[index]);
		}
		made.resize(made.size() - p_count);
		return members;
	}
	// Members have no types in Godot 3.
	void no_type() {
		if (get<uint8_t>() != Variant::NIL) {
			__builtin_trap();
		}
	}
	Variant object() {
		if (get<int32_t>() >= 0) {
			__builtin_trap();
		}
		Ref<EncodedObjectAsID> by_id;
		by_id.instance();
		by_id->set_object_id(get<uint64_t>());
		return by_id;
	}
	Variant array() {
		uint32_t count = get<uint32_t>();
		no_type();
		Vector<Variant> members = taken(count);
		Array array;
		for (int index = 0; index < members.size(); index++) {
			array.push_back(members[index]);
		}
		return array;
	}
	Variant dictionary() {
		uint32_t count = get<uint32_t>();
		no_type();
		no_type();
		Vector<Variant> members = taken(count * 2);
		Dictionary dictionary;
		for (int index = 0; index < members.size(); index += 2) {
			dictionary[members[index]] = members[index + 1];
		}
		return dictionary;
	}
	Variant value(uint8_t p_type) {
		switch (p_type) {
			case Variant::NIL:
				return Variant();
			case Variant::BOOL:
				return get<uint8_t>() != 0;
			case Variant::INT:
				return get<int64_t>();
			case Variant::REAL:
				return get<double>();
			case Variant::STRING:
				return text();
			case Variant::VECTOR2:
				return vector2();
			case Variant::RECT2: {
				Vector2 position = vector2(), size = vector2();
				return Rect2(position, size);
			}
			case Variant::VECTOR3:
				return vector3();
			case Variant::TRANSFORM2D: {
				Transform2D transform;
				for (int column = 0; column < 3; column++) {
					transform.elements[column] = vector2();
				}
				return transform;
			}
			case Variant::PLANE: {
				Vector3 normal = vector3();
				return Plane(normal, real());
			}
			case Variant::QUAT: {
				real_t x = real(), y = real(), z = real(), w = real();
				return Quat(x, y, z, w);
			}
			case Variant::AABB: {
				Vector3 position = vector3(), size = vector3();
				return AABB(position, size);
			}
			case Variant::BASIS:
				return basis();
			case Variant::TRANSFORM: {
				Basis rows = basis();
				return Transform(rows, vector3());
			}
			case Variant::COLOR:
				return color();
			case Variant::NODE_PATH:
				return NodePath(text());
			case Variant::_RID:
				get<uint64_t>();
				return RID();
			case Variant::OBJECT:
				return object();
			case Variant::DICTIONARY:
				return dictionary();
			case Variant::ARRAY:
				return array();
			case Variant::POOL_BYTE_ARRAY:
				return packed<uint8_t>([&] { return get<uint8_t>(); });
			case Variant::POOL_INT_ARRAY:
				return packed<int>([&] { return get<int32_t>(); });
			case Variant::POOL_REAL_ARRAY:
				return packed<real_t>([&] { return get<float>(); });
			case Variant::POOL_STRING_ARRAY:
				return packed<String>([&] { return text(); });
			case Variant::POOL_VECTOR2_ARRAY:
				return packed<Vector2>([&] { return vector2(); });
			case Variant::POOL_VECTOR3_ARRAY:
				return packed<Vector3>([&] { return vector3(); });
			case Variant::POOL_COLOR_ARRAY:
				return packed<Color>([&] { return color(); });
		}
		__builtin_trap();
	}

public:
	Recipe(const uint8_t *p_recipe, int32_t p_length) {
		reader.at = p_recipe;
		reader.end = p_recipe + p_length;
	}

	Variant make() {
		while (reader.at < reader.end) {
			made.push_back(value(get<uint8_t>()));
		}
		return made.size() > 0 ? made[made.size() - 1] : Variant();
	}
};

void engine_start() {
	static OS_Fuzz *os = new OS_Fuzz;
	RID_OwnerBase::init_rid();
	os->initialize_core();
	// Messages take longer than reading.
	_print_error_enabled = false;
	_print_line_enabled = false;
	memnew(Engine);
#if VERSION_MINOR < 6
	ClassDB::init();
#endif
	register_core_types();
	memnew(ProjectSettings);
	register_core_settings();
	memnew(MessageQueue);
	ClassDB::set_current_api(ClassDB::API_NONE);
}

bool engine_creates(const char *p_class) {
	return ClassDB::can_instance(String::utf8(p_class));
}

#define LEAVES_PADDING
#include "shared.h"
