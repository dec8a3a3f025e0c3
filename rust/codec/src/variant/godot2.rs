//! Types that only Godot 1 and 2 have.

use alloc::vec::Vec;

/// An `Image` of Godot 2.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Image {
    /// The pixel format, one of [`Image::FORMATS`] by their order in `Image.FORMAT_*`.
    pub format: u32,
    /// The number of mip maps.
    pub mipmaps: u32,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The pixels of all mip maps. Without any, the engine makes an empty image of everything else too.
    pub data: Vec<u8>,
}

impl Image {
    /// How many pixel formats there are; images of others are refused.
    pub const FORMATS: u32 = 23;

    /// The numbers by their names.
    pub(crate) const fn numbers(&self) -> [(&'static str, u32); 4] {
        [("format", self.format), ("mipmaps", self.mipmaps), ("width", self.width), ("height", self.height)]
    }
}

/// An `InputEvent` of Godot 2, as far as the wire has it: which key or button, not whether it is pressed.
#[derive(Clone, Debug, PartialEq)]
pub struct InputEvent {
    /// The number of the device.
    pub device: u32,
    /// What happened.
    pub kind: InputEventKind,
}

/// The kinds of [`InputEvent`] and what each one keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputEventKind {
    /// A key, kind 1.
    Key {
        /// Shift, alt, meta and control, bits 25 to 28.
        modifiers: Modifiers,
        /// The key's number.
        scancode: u32,
    },
    /// A motion of the mouse, kind 2.
    MouseMotion,
    /// A button of the mouse, kind 3.
    MouseButton {
        /// Which one.
        button_index: u32,
    },
    /// A motion of a joystick, kind 4.
    JoyMotion {
        /// Along which axis.
        axis: u32,
        /// How far.
        value: f32,
    },
    /// A button of a joystick, kind 5.
    JoyButton {
        /// Which one.
        button_index: u32,
    },
    /// A finger on the screen, kind 6.
    ScreenTouch {
        /// Which one.
        index: u32,
    },
    /// A finger drawn over the screen, kind 7.
    ScreenDrag,
    /// An action, kind 8.
    Action,
    /// No kind that the engine names.
    Other(u32),
}

/// Keys held down with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four keys, each down or not")]
pub struct Modifiers {
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
    /// Meta.
    pub meta: bool,
    /// Control.
    pub control: bool,
}

impl InputEventKind {
    /// The number of the kind on the wire.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::Key { .. } => 1,
            Self::MouseMotion => 2,
            Self::MouseButton { .. } => 3,
            Self::JoyMotion { .. } => 4,
            Self::JoyButton { .. } => 5,
            Self::ScreenTouch { .. } => 6,
            Self::ScreenDrag => 7,
            Self::Action => 8,
            Self::Other(number) => number,
        }
    }

    /// The name that tagged JSON has for the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Key { .. } => "key",
            Self::MouseMotion => "mouse_motion",
            Self::MouseButton { .. } => "mouse_button",
            Self::JoyMotion { .. } => "joy_motion",
            Self::JoyButton { .. } => "joy_button",
            Self::ScreenTouch { .. } => "screen_touch",
            Self::ScreenDrag => "screen_drag",
            Self::Action => "action",
            Self::Other(_) => "other",
        }
    }

    /// The whole number that the kind keeps, and its name.
    pub(crate) const fn named_number(self) -> Option<(&'static str, u32)> {
        match self {
            Self::Key { scancode, .. } => Some(("scancode", scancode)),
            Self::MouseButton { button_index } | Self::JoyButton { button_index } => {
                Some(("button_index", button_index))
            }
            Self::JoyMotion { axis, .. } => Some(("axis", axis)),
            Self::ScreenTouch { index } => Some(("index", index)),
            Self::Other(number) => Some(("kind", number)),
            Self::MouseMotion | Self::ScreenDrag | Self::Action => None,
        }
    }
}

/// The field of a modifier.
type ModifierField = fn(&mut Modifiers) -> &mut bool;

impl Modifiers {
    /// The modifiers by their names.
    pub(crate) const FIELDS: [(&str, ModifierField); 4] = [
        ("shift", |modifiers| &mut modifiers.shift),
        ("alt", |modifiers| &mut modifiers.alt),
        ("meta", |modifiers| &mut modifiers.meta),
        ("control", |modifiers| &mut modifiers.control),
    ];

    const SHIFT: u32 = 1 << 25;
    const ALT: u32 = 1 << 26;
    const META: u32 = 1 << 27;
    const CONTROL: u32 = 1 << 28;

    /// The keys whose bits are set; the engine looks at no others.
    #[must_use]
    pub const fn from_mask(mask: u32) -> Self {
        Self {
            shift: mask & Self::SHIFT != 0,
            alt: mask & Self::ALT != 0,
            meta: mask & Self::META != 0,
            control: mask & Self::CONTROL != 0,
        }
    }

    /// The bits of the keys.
    #[must_use]
    pub const fn mask(self) -> u32 {
        (if self.shift { Self::SHIFT } else { 0 })
            | (if self.alt { Self::ALT } else { 0 })
            | (if self.meta { Self::META } else { 0 })
            | (if self.control { Self::CONTROL } else { 0 })
    }
}
