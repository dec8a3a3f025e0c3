//! Types that only Godot 1 and 2 have.

use alloc::vec::Vec;

/// An `Image` of Godot 2.
///
/// ```
/// use varbytes::variant::Image;
/// use varbytes::{Encoder, Profile};
///
/// let pixel = Image { format: 0, mipmaps: 0, width: 1, height: 1, data: vec![0xFF] };
/// assert_eq!(Encoder::new().profile(Profile::GODOT_2_1).encode(&pixel.into())?.len(), 28);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Image {
    /// The pixel format: less than [`Image::FORMATS`], in the order of `Image.FORMAT_*`.
    pub format: u32,
    /// The number of mip maps.
    pub mipmaps: u32,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The pixels of all mip maps. If there are none, the engine creates an empty image and ignores the other fields.
    pub data: Vec<u8>,
}

impl Image {
    /// The number of pixel formats. Images with other formats are refused.
    pub const FORMATS: u32 = 23;

    pub(crate) const fn numbers(&self) -> [(&'static str, u32); 4] {
        [("format", self.format), ("mipmaps", self.mipmaps), ("width", self.width), ("height", self.height)]
    }
}

/// An `InputEvent` of Godot 2. The wire contains the key or button, but not whether it is pressed.
///
/// ```
/// use varbytes::variant::{InputEvent, InputEventKind};
/// use varbytes::{Decoder, Encoder, Profile, Variant};
///
/// let click = InputEvent { device: 0, kind: InputEventKind::MouseButton { button_index: 1 } };
/// let bytes = Encoder::new().profile(Profile::GODOT_2_1).encode(&click.clone().into())?;
/// assert_eq!(Decoder::new().profile(Profile::GODOT_2_1).decode(&bytes)?, Variant::from(click));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct InputEvent {
    /// The device id.
    pub device: u32,
    /// The kind of event.
    pub kind: InputEventKind,
}

/// The kinds of [`InputEvent`], with the fields that each one has.
///
/// ```
/// use varbytes::variant::InputEventKind;
///
/// let touch = InputEventKind::ScreenTouch { index: 0 };
/// assert_eq!((touch.number(), touch.name()), (6, "screen_touch"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputEventKind {
    /// A key, kind 1.
    Key {
        /// Shift, alt, meta and control, bits 25 to 28.
        modifiers: Modifiers,
        /// The key code.
        scancode: u32,
    },
    /// A mouse motion, kind 2.
    MouseMotion,
    /// A mouse button, kind 3.
    MouseButton {
        /// The number of the button.
        button_index: u32,
    },
    /// A joystick motion, kind 4.
    JoyMotion {
        /// The number of the axis.
        axis: u32,
        /// The position on the axis.
        value: f32,
    },
    /// A joystick button, kind 5.
    JoyButton {
        /// The number of the button.
        button_index: u32,
    },
    /// A touch of the screen, kind 6.
    ScreenTouch {
        /// The number of the finger.
        index: u32,
    },
    /// A drag on the screen, kind 7.
    ScreenDrag,
    /// An action, kind 8.
    Action,
    /// A kind that the engine does not name.
    Other(u32),
}

/// Modifier keys held down.
///
/// ```
/// use varbytes::variant::Modifiers;
///
/// let shift = Modifiers { shift: true, ..Modifiers::default() };
/// assert_eq!(Modifiers::from_mask(shift.mask()), shift);
/// ```
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
    /// Returns the number of the kind on the wire.
    ///
    /// [`InputEventKind`] has an example.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.number_and_name().0
    }

    /// Returns the name of the kind in tagged JSON.
    ///
    /// [`InputEventKind`] has an example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.number_and_name().1
    }

    const fn number_and_name(self) -> (u32, &'static str) {
        match self {
            Self::Key { .. } => (1, "key"),
            Self::MouseMotion => (2, "mouse_motion"),
            Self::MouseButton { .. } => (3, "mouse_button"),
            Self::JoyMotion { .. } => (4, "joy_motion"),
            Self::JoyButton { .. } => (5, "joy_button"),
            Self::ScreenTouch { .. } => (6, "screen_touch"),
            Self::ScreenDrag => (7, "screen_drag"),
            Self::Action => (8, "action"),
            Self::Other(number) => (number, "other"),
        }
    }

    /// Returns the integer field of the kind, with its name.
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

/// Returns the field of a modifier.
type ModifierField = fn(&mut Modifiers) -> &mut bool;

impl Modifiers {
    /// The modifiers with their names.
    pub(crate) const FIELDS: [(&str, ModifierField); 4] = [
        ("shift", |modifiers| &mut modifiers.shift),
        ("alt", |modifiers| &mut modifiers.alt),
        ("meta", |modifiers| &mut modifiers.meta),
        ("control", |modifiers| &mut modifiers.control),
    ];

    /// Returns the modifiers whose bits are set. The engine ignores other bits.
    ///
    /// [`Modifiers`] has an example.
    #[must_use]
    pub const fn from_mask(mask: u32) -> Self {
        Self {
            shift: mask & 1 << 25 != 0,
            alt: mask & 1 << 26 != 0,
            meta: mask & 1 << 27 != 0,
            control: mask & 1 << 28 != 0,
        }
    }

    /// Returns the bits of the modifiers.
    ///
    /// [`Modifiers`] has an example.
    #[must_use]
    pub const fn mask(self) -> u32 {
        (self.shift as u32) << 25 | (self.alt as u32) << 26 | (self.meta as u32) << 27 | (self.control as u32) << 28
    }
}
