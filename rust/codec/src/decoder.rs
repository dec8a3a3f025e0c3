//! The decoder: its settings and its methods that read a packet.

use crate::build::borrowed::BorrowBuilder;
use crate::build::builder::Builder;
use crate::build::owned::TreeBuilder;
use crate::build::replay::replay;
use crate::build::validate::{ObjectPolicy, Validator};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::options::{ReadOptions, WriteOptions, setters};
use crate::parts::Parts;
use crate::read::cursor::Cursor;
use crate::read::destination::Return;
use crate::read::input::Input;
use crate::read::known_names::KnownNames;
use crate::read::machine::Reader;
use crate::single::Single;
use crate::variant::VariantRef;
use crate::write::fast::TreeWriter;
use crate::write::sink::MarkedPadding;
use crate::write::writer::Writer;
use crate::{Architecture, Limits, Precision, Profile, Variant, work};

/// Reads packets with the rules of one engine version, engine-exact or strict, within limits.
///
/// *Engine-exact*, the default, accepts the packets that the engine accepts, rejects the others, and returns the value
/// that the engine returns. Bytes after the value are ignored.
///
/// *Strict* accepts only bytes that the engine writes, and nothing after them. Encoding the value returns the same
/// bytes, except for padding that some engine versions leave undefined: any byte is accepted there, unless
/// [`zero_padding`](Self::zero_padding) is set. Values of typed dictionaries must match their type.
///
/// Objects are refused unless [`objects`](Self::objects) allows them. They are read as data; nothing is instantiated.
///
/// ```
/// use varbytes::{Category, Decoder, Variant};
///
/// let wide_seven = [2, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0];
/// assert_eq!(Decoder::new().decode(&wide_seven)?, Variant::from(7));
///
/// let error = Decoder::new().strict(true).decode(&wide_seven).unwrap_err();
/// assert_eq!((error.category(), error.offset()), (Category::Malformed, 2));
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
///
/// # Errors
/// Every method that reads returns any [`DecodeErrorKind`], with offset and path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decoder {
    pub(crate) options: ReadOptions,
}

/// A value and the number of bytes it was read from.
///
/// ```
/// use varbytes::Decoder;
///
/// let decoded = Decoder::new().decode_prefix(&[1, 0, 0, 0, 1, 0, 0, 0, b'm', b'o', b'r', b'e'])?;
/// assert_eq!((decoded.value, decoded.consumed), (true.into(), 8));
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded<T> {
    /// The value.
    pub value: T,
    /// The number of input bytes that the value takes. Whatever follows the value starts there.
    pub consumed: usize,
    /// The number of bytes that the value takes with all of its padding, as the engine's `decode_var_size` counts. Up
    /// to 3 more than `consumed` if the padding of a `PackedByteArray` is missing at the end of the input.
    pub used: usize,
}

#[expect(clippy::missing_errors_doc, reason = "the documentation of `Decoder` has the errors")]
impl Decoder {
    /// Creates an engine-exact decoder for the newest known engine. Objects are refused. The only limit is the engine's
    /// limit on depth.
    ///
    /// ```
    /// use varbytes::{Category, Decoder};
    ///
    /// // An object with a class: bytes_to_var refuses it too.
    /// let error = Decoder::new().decode(&[24, 0, 0, 0, 4, 0, 0, 0, b'N', b'o', b'd', b'e', 0, 0, 0, 0]).unwrap_err();
    /// assert_eq!(error.category(), Category::NotAllowed);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { options: ReadOptions::DEFAULT }
    }

    /// Enforces types, and has no limits.
    #[cfg(feature = "std")]
    pub(crate) const ENFORCING: Self = Self { options: ReadOptions { enforces_types: true, ..ReadOptions::DEFAULT } };

    /// Creates a decoder for untrusted input: [`Limits::untrusted`] for the length of `bytes`, and
    /// [`enforce_types`](Self::enforce_types). It accepts what engines write.
    ///
    /// It promises:
    ///
    /// - Memory and time are proportional to the number of bytes.
    /// - Every member, key and value has the type that its container declares.
    /// - No input causes a panic, a stack overflow, or an allocation for data that is not in the input.
    ///
    /// It does not limit the number of bytes, and it does not check what values mean; check them before use. Text may
    /// contain control characters. If [`objects`](Self::objects) are allowed, the names of classes and scripts are not
    /// checked: code that creates objects from them needs a list of allowed names, for example an [`ObjectPolicy`].
    ///
    /// Add [`strict`](Self::strict) to accept only packets that an engine would write.
    ///
    /// ```
    /// use varbytes::{Decoder, Variant};
    ///
    /// let packet = varbytes::encode(&Variant::from("hello"))?;
    /// assert_eq!(Decoder::untrusted(&packet).decode(&packet)?, Variant::from("hello"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn untrusted(bytes: &[u8]) -> Self {
        Self::new().enforce_types(true).limits(Limits::untrusted(bytes.len()))
    }

    setters! {
        /// Sets the engine version whose rules apply.
        ///
        /// ```
        /// use varbytes::{Decoder, Profile, VariantType};
        ///
        /// let bytes = [21, 0, 0, 0, 0, 0, 0, 0];
        /// let godot_3 = Decoder::new().profile(Profile::GODOT_3_5);
        /// assert_eq!(godot_3.decode(&bytes)?.variant_type(), VariantType::PackedInt32Array);
        /// assert_eq!(Decoder::new().decode(&bytes)?.variant_type(), VariantType::StringName);
        /// # Ok::<(), varbytes::DecodeError>(())
        /// ```
        profile(profile: Profile) => profile: profile;

        /// Sets whether full objects are allowed, as in `bytes_to_var_with_objects`. They are read as data.
        ///
        /// An engine also requires that the class and the script exist. This crate accepts any name.
        ///
        /// ```
        /// use varbytes::Decoder;
        ///
        /// let node = [24, 0, 0, 0, 4, 0, 0, 0, b'N', b'o', b'd', b'e', 0, 0, 0, 0];
        /// assert_eq!(Decoder::new().objects(true).decode(&node)?.as_object().unwrap().class, "Node");
        /// # Ok::<(), varbytes::DecodeError>(())
        /// ```
        objects(objects: bool) => objects: objects;

        /// Sets whether only bytes that the engine writes are accepted.
        ///
        /// ```
        /// use varbytes::Decoder;
        ///
        /// // The engine reads any number except 0 as true, and writes 1.
        /// let bytes = [1, 0, 0, 0, 2, 0, 0, 0];
        /// assert_eq!(Decoder::new().decode(&bytes)?, true);
        /// assert_eq!(Decoder::new().strict(true).decode(&bytes).unwrap_err().offset(), 4);
        /// # Ok::<(), varbytes::DecodeError>(())
        /// ```
        strict(strict: bool) => strict: strict;

        /// Sets whether strict reading also requires zeroes in padding that the engine leaves undefined, so that no two
        /// packets hold the same value. This refuses some packets of real engines.
        ///
        /// These engines leave padding undefined:
        ///
        /// - of the strings of a `NodePath`: all engines except Godot 4.6.3 and later;
        /// - of a `PackedByteArray`: before Godot 3.1.2;
        /// - of strings, names and images: before Godot 3.0.3;
        /// - of the strings of a `PackedStringArray`: before Godot 3.0.6 and 2.1.5.
        ///
        /// A profile that covers releases before and after a change accepts the packets of both.
        ///
        /// ```
        /// use varbytes::{DecodeErrorKind, Decoder, Profile};
        ///
        /// // The NodePath "a", with three bytes of undefined padding.
        /// let path = [22, 0, 0, 0, 1, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, b'a', 7, 7, 7];
        /// let strict = Decoder::new().profile(Profile::GODOT_4_6).strict(true);
        /// assert!(strict.decode(&path).is_ok());
        /// let error = strict.zero_padding(true).decode(&path).unwrap_err();
        /// assert_eq!((error.kind(), error.offset()), (&DecodeErrorKind::PaddingNotZero, 21));
        /// # Ok::<(), varbytes::DecodeError>(())
        /// ```
        zero_padding(zero_padding: bool) => zero_padding: zero_padding;

        /// Sets whether values of typed dictionaries must match their declared type, as keys and members of typed
        /// arrays always must. Strict reading implies it.
        ///
        /// Engines do not check these values, and typed scripts trust the declared type: with a `Dictionary[int, int]`
        /// that holds a `String`, the script reads a String's memory as an int. With this setting a value is
        /// treated as in the engine's `Dictionary.set`: converted if the engine converts it, and dropped with its key
        /// if the engine refuses it. Strict reading refuses both with [`DecodeErrorKind::MistypedValue`].
        ///
        /// An object of any class fits a container of any class or script, because only an engine knows the class
        /// hierarchy. An object that is known only by its id (`EncodedObjectAsID`) fits no other class.
        ///
        /// ```
        /// use varbytes::{Decoder, Variant};
        ///
        /// // Dictionary[int, int] {0: "hi"}
        /// let mut packet = vec![27, 0, 5, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
        /// packet.extend([4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0]);
        ///
        /// let Variant::Dictionary(exact) = Decoder::new().decode(&packet)? else { unreachable!() };
        /// assert_eq!(exact.entries().len(), 1);
        /// let decoder = Decoder::new().enforce_types(true);
        /// let Variant::Dictionary(enforced) = decoder.decode(&packet)? else { unreachable!() };
        /// assert_eq!(enforced.entries().len(), 0);
        /// # Ok::<(), varbytes::DecodeError>(())
        /// ```
        enforce_types(enforce: bool) => enforces_types: enforce;

        /// Sets the limits on depth, values, elements and memory of a packet.
        ///
        /// ```
        /// use varbytes::{Decoder, Limits, variant};
        ///
        /// let bytes = varbytes::encode(&variant!([[[]]]))?;
        /// assert!(Decoder::new().limits(Limits::NONE.depth(1)).decode(&bytes).is_err());
        /// # Ok::<(), varbytes::EncodeError>(())
        /// ```
        limits(limits: Limits) => limits: limits;

        /// Reads as an engine of that precision. By default, components keep the precision of the packet.
        ///
        /// A single-precision engine narrows 8-byte components. A double-precision engine converts members of typed
        /// containers with components of 8 bytes, also if the packet has 4-byte components. Strict reading accepts only
        /// components of that precision.
        ///
        /// ```
        /// use varbytes::variant::Vector2;
        /// use varbytes::{Decoder, Precision, Variant};
        ///
        /// let wide = varbytes::encode(&Vector2::from_f64_array([0.1, 0.2]).into())?;
        /// let single = Decoder::new().precision(Precision::Single).decode(&wide)?;
        /// assert_eq!(varbytes::encode(&single)?.len(), 12);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        precision(precision: Precision) => precision: Some(precision);

        /// Sets whether to read as a release build of the engine, as exported games are. The default is to read as the
        /// editor and debug builds do.
        ///
        /// The two differ in one conversion: if a container of `Quaternion` holds a `Basis` that is not a rotation, a
        /// release build computes a quaternion from it; other builds return the identity and print an error.
        ///
        /// ```
        /// use varbytes::Decoder;
        ///
        /// let decoder = Decoder::new().release_build(true); // packets of an exported game
        /// assert_eq!(decoder.decode(&[1, 0, 0, 0, 1, 0, 0, 0])?, true);
        /// # Ok::<(), varbytes::DecodeError>(())
        /// ```
        release_build(is_release: bool) => is_release: is_release;

        /// Sets the processor architecture that the engine is built for. The default is [`Architecture::X86_64`].
        ///
        /// It changes the integers that floats out of range become, in containers whose members are converted.
        ///
        /// ```
        /// use varbytes::{Architecture, Decoder};
        ///
        /// // An Array[int] that holds the float 1e19.
        /// let packet = [28, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 1, 0, 0, 61, 145, 96, 228, 88, 225, 67];
        /// let from_the_web = Decoder::new().architecture(Architecture::Wasm32).decode(&packet)?;
        /// assert_eq!(from_the_web.get(0).unwrap(), &i64::MAX);
        /// # Ok::<(), varbytes::DecodeError>(())
        /// ```
        architecture(architecture: Architecture) => architecture: architecture;

        /// Sets whether to return the value that was written in cases where a bug makes the engine read its own packet
        /// wrongly. Strict reading always does.
        ///
        /// The known cases are vectors of four components, `Projection` and arrays of them in Pandemonium 3.8 and
        /// later; the `NodePath` "/" before Godot 4.3; and every `NodePath` without names before Godot 3.0.
        ///
        /// ```
        /// use varbytes::variant::NodePath;
        /// use varbytes::{Decoder, Encoder, Profile, Variant};
        ///
        /// let root = Variant::from("/".parse::<NodePath>()?);
        /// let bytes = Encoder::new().profile(Profile::GODOT_4_2).encode(&root)?;
        /// let engine = Decoder::new().profile(Profile::GODOT_4_2);
        /// assert_ne!(engine.decode(&bytes)?, root);
        /// assert_eq!(engine.fix_engine_bugs(true).decode(&bytes)?, root);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        fix_engine_bugs(fix: bool) => fixes_engine_bugs: fix;

        /// Sets whether to keep a byte order mark (U+FEFF) at the start of text, which every engine drops when it reads what it wrote.
        ///
        /// ```
        /// use varbytes::Decoder;
        ///
        /// let packet = varbytes::encode(&"\u{FEFF}a".into())?;
        /// assert_eq!(Decoder::new().decode(&packet)?, "a");
        /// assert_eq!(Decoder::new().keep_byte_order_marks(true).decode(&packet)?, "\u{FEFF}a");
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        keep_byte_order_marks(keep: bool) => keeps_marks: keep;

        /// Sets whether to use only the slow path. The results are the same; tests use it to compare both paths.
        #[doc(hidden)]
        slow_path_only(slow_path_only: bool) => slow_path_only: slow_path_only;
    }

    /// Decodes the value at the start of `bytes`. Bytes after it are ignored, or an error in strict reading.
    ///
    /// ```
    /// use varbytes::Decoder;
    ///
    /// assert_eq!(Decoder::new().decode(&[1, 0, 0, 0, 1, 0, 0, 0])?, true);
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    pub fn decode(&self, bytes: &[u8]) -> Result<Variant, DecodeError> {
        self.refuse_trailing(bytes, self.run(bytes, &mut TreeBuilder)?).map(|decoded| decoded.value)
    }

    /// Decodes the value at the start of `bytes` and returns its length. Bytes after it are ignored, also in strict
    /// reading.
    ///
    /// ```
    /// use varbytes::{Decoder, Variant};
    ///
    /// // Two values one after the other.
    /// let mut rest = &[2, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0][..];
    /// let mut values = Vec::new();
    /// while !rest.is_empty() {
    ///     let decoded = Decoder::new().decode_prefix(rest)?;
    ///     values.push(decoded.value);
    ///     rest = &rest[decoded.consumed..];
    /// }
    /// assert_eq!(values, [Variant::from(7), true.into()]);
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    pub fn decode_prefix(&self, bytes: &[u8]) -> Result<Decoded<Variant>, DecodeError> {
        self.run(bytes, &mut TreeBuilder)
    }

    /// Decodes without copying: text and packed arrays of the returned value borrow from `bytes`.
    ///
    /// ```
    /// use varbytes::{Decoder, variant::VariantRef};
    ///
    /// let packet = varbytes::encode(&vec![7u8; 1000].into())?;
    /// let VariantRef::PackedByteArray(bytes) = Decoder::new().decode_borrowed(&packet)? else { unreachable!() };
    /// assert!(packet.as_ptr_range().contains(&bytes.as_ptr()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_borrowed<'a>(&self, bytes: &'a [u8]) -> Result<VariantRef<'a>, DecodeError> {
        self.refuse_trailing(bytes, self.run(bytes, &mut BorrowBuilder)?).map(|decoded| decoded.value)
    }

    /// Like [`decode_borrowed`](Self::decode_borrowed), and returns the length of the value. Bytes after it are
    /// ignored, as in [`decode_prefix`](Self::decode_prefix).
    ///
    /// ```
    /// use varbytes::Decoder;
    ///
    /// let packet = [4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0, b'm', b'o', b'r', b'e'];
    /// let decoded = Decoder::new().decode_borrowed_prefix(&packet)?;
    /// assert_eq!((decoded.value.as_str(), decoded.consumed), (Some("hi"), 12));
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    pub fn decode_borrowed_prefix<'a>(&self, bytes: &'a [u8]) -> Result<Decoded<VariantRef<'a>>, DecodeError> {
        self.run(bytes, &mut BorrowBuilder)
    }

    /// Checks whether `bytes` can be decoded, without building the value. Returns the length of the value.
    ///
    /// ```
    /// use varbytes::Decoder;
    ///
    /// let packet = [4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0];
    /// assert_eq!(Decoder::new().check(&packet)?.consumed, 12);
    /// assert!(Decoder::new().check(&packet[..9]).is_err());
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    pub fn check(&self, bytes: &[u8]) -> Result<Decoded<()>, DecodeError> {
        self.check_with(bytes, ())
    }

    /// Like [`check`](Self::check), and asks a policy about every class, script, property and container type.
    /// Its errors are returned too.
    ///
    /// ```
    /// use varbytes::build::ObjectPolicy;
    /// use varbytes::{DecodeErrorKind, Decoder};
    ///
    /// /// Refuses every script, whose code engines run when they create the object.
    /// struct NoScripts;
    ///
    /// impl ObjectPolicy for NoScripts {
    ///     fn script(&mut self, class: &str, path: &str) -> Result<(), DecodeErrorKind> {
    ///         Err(DecodeErrorKind::Refused { reason: format!("{class} with the script {path}").into() })
    ///     }
    /// }
    ///
    /// let node = [24, 0, 0, 0, 4, 0, 0, 0, b'N', b'o', b'd', b'e', 0, 0, 0, 0];
    /// assert!(Decoder::untrusted(&node).objects(true).check_with(&node, NoScripts).is_ok());
    /// ```
    pub fn check_with(&self, bytes: &[u8], policy: impl ObjectPolicy) -> Result<Decoded<()>, DecodeError> {
        // The policy is also asked about what conversions lose, which a tree would not contain.
        let mut validator = Validator::new(policy).assuming_coercions();
        let mut checked = self.run(bytes, &mut validator);
        if checked.as_ref().is_err_and(DecodeError::needs_tree) {
            // Only strict reading asks for a tree here: to find duplicate keys. Then only the policy is left to ask.
            self.decode_prefix(bytes)?;
            checked = self.engine_exact().run(bytes, &mut validator);
        }
        if validator.has_coercions() {
            self.decode_prefix(bytes)?;
        }
        self.refuse_trailing(bytes, checked?)
    }

    /// Decodes one value and passes it to `builder`.
    ///
    /// A builder may be unable to find duplicate keys or to convert members of typed containers, because that needs the
    /// values themselves. If a packet needs one of these, it is decoded into a [`Variant`] tree first, and the builder
    /// receives the values of that tree. [`Builder::restart`] is called before.
    ///
    /// ```
    /// use varbytes::Decoder;
    /// use varbytes::build::TreeBuilder;
    ///
    /// let decoded = Decoder::new().decode_with(&[1, 0, 0, 0, 1, 0, 0, 0], &mut TreeBuilder)?;
    /// assert_eq!(decoded.value, true);
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    pub fn decode_with<T, B>(&self, bytes: &[u8], builder: &mut B) -> Result<Decoded<T>, DecodeError>
    where
        B: for<'a> Builder<'a, Value = T>,
    {
        self.decode_with_names(bytes, builder, &mut KnownNames::default())
    }

    /// Like [`decode_with`](Self::decode_with), for the second of two passes over the same bytes. `names` are those of classes
    /// and properties that the first pass has read, and then those that this one has read.
    #[doc(hidden)]
    pub fn decode_with_names<'a, T, B>(
        &self,
        bytes: &'a [u8],
        builder: &mut B,
        names: &mut KnownNames<'a>,
    ) -> Result<Decoded<T>, DecodeError>
    where
        B: for<'b> Builder<'b, Value = T>,
    {
        let mut reader = Reader::new(Cursor::new(bytes), &self.options, builder);
        reader.input.known_names = core::mem::take(names).again();
        let read = self.run_reader(bytes, &mut reader);
        *names = core::mem::take(&mut reader.input.known_names);
        match read {
            Err(error) if error.needs_tree() => {
                let Decoded { value: tree, consumed, used } = self.decode_prefix(bytes)?;
                builder.restart();
                // The reader has checked everything except the memory that the values take in this builder. If the
                // builder refuses a value, its offset is unknown: the error has the offset where the tree was needed.
                let value = replay(&tree, self.options.limits.memory, builder);
                let value = value.map_err(|refused| refused.with_offset(error.offset()))?;
                Ok(Decoded { value, consumed, used })
            }
            result => result.map(|(decoded, _)| decoded),
        }
    }

    /// Like [`decode_with`](Self::decode_with) in a single pass, for a builder that ignores or merges duplicate keys
    /// and converts members. The builder may borrow from `bytes`.
    /// If the builder needs a second pass, the error has the category unsupported.
    ///
    /// ```
    /// use varbytes::Decoder;
    /// use varbytes::build::BorrowBuilder;
    ///
    /// let packet = [4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0];
    /// let decoded = Decoder::new().decode_prefix_with(&packet, &mut BorrowBuilder)?;
    /// assert_eq!(decoded.value.as_str(), Some("hi"));
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    pub fn decode_prefix_with<'a, B: Builder<'a>>(
        &self,
        bytes: &'a [u8],
        builder: &mut B,
    ) -> Result<Decoded<B::Value>, DecodeError> {
        self.run(bytes, builder)
    }

    /// Decodes a packet that is `null`, a `bool`, a number, ASCII text, a vector, or a packed array of other elements than text.
    /// Returns `None` for anything else, malformed input included, and if something is limited; use another method then.
    #[doc(hidden)]
    #[inline(always)]
    pub fn decode_single<'a>(&self, bytes: &'a [u8]) -> Option<Decoded<Single<'a>>> {
        let (value, used) = Single::read(bytes, self.profile_for_singles()?)?;
        Some(Decoded { value, consumed: used, used })
    }

    /// Returns a reader of the parts of a packet, for packets of a few values that [`decode_single`](Self::decode_single) decodes.
    /// Returns `None` if something is limited; use another method then, and if there is a part that it cannot read.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub fn parts<'a>(&self, bytes: &'a [u8]) -> Option<Parts<'a>> {
        let profile = self.profile_for_singles().filter(|_| self.options.limits.depth > Parts::DEPTH)?;
        Some(Parts::of(bytes, profile))
    }

    #[inline(always)]
    fn profile_for_singles(&self) -> Option<Profile> {
        let ReadOptions { profile, limits, strict, slow_path_only, .. } = &self.options;
        let Limits { depth, memory, values, packed_elements, string_length } = *limits;
        let is_limited = depth < 2 || [memory, values, packed_elements, string_length] != [usize::MAX; 4];
        (!*strict && !*slow_path_only && !is_limited).then_some(*profile)
    }

    /// Decodes a single value of a fixed size, common text, or a short packed array. Returns `None` for anything else,
    /// malformed input included; use another method then.
    #[doc(hidden)]
    #[inline(never)]
    pub fn decode_plain_with<'a, B: Builder<'a>>(&self, bytes: &'a [u8], builder: &mut B) -> Option<Decoded<B::Value>> {
        /// Builders may have a faster way to read long arrays.
        const SHORT: usize = 1024;
        let mut input = Input::new(Cursor::new(bytes), &self.options, builder);
        if !input.has_fast_path() {
            return None;
        }
        input.charge(const { B::COSTS.value }, 0).ok()?;
        let value = match input.read_fast_value(Return) {
            Ok(value) => value,
            Err(_) if bytes.len() > SHORT => return None,
            Err(_) => input.read_simple_leaf()?,
        };
        work::count_fast_value();
        let used = input.cursor.position();
        Some(Decoded { value, consumed: used, used })
    }

    /// Returns a decoder that reads a strict packet to the same value, but checks nothing that only strict reading
    /// requires.
    pub(crate) fn engine_exact(&self) -> Self {
        let options = ReadOptions { strict: false, enforces_types: false, fixes_engine_bugs: true, ..self.options };
        Self { options }
    }

    #[inline(always)]
    fn run<'a, B: Builder<'a>>(&self, bytes: &'a [u8], builder: &mut B) -> Result<Decoded<B::Value>, DecodeError> {
        self.run_within_limits(bytes, builder).map(|(decoded, _)| decoded)
    }

    /// Decodes the value at the start of `bytes`. Also returns what is left of the limits.
    #[inline(always)]
    pub(crate) fn run_within_limits<'a, B: Builder<'a>>(
        &self,
        bytes: &'a [u8],
        builder: &mut B,
    ) -> Result<(Decoded<B::Value>, Limits), DecodeError> {
        self.run_reader(bytes, &mut Reader::new(Cursor::new(bytes), &self.options, builder))
    }

    #[inline(always)]
    fn run_reader<'a, B: Builder<'a>>(
        &self,
        bytes: &'a [u8],
        reader: &mut Reader<'a, '_, B>,
    ) -> Result<(Decoded<B::Value>, Limits), DecodeError> {
        match reader.read() {
            Ok((value, used)) => {
                Ok((Decoded { value, consumed: used.min(bytes.len()), used }, reader.input.limits_left()))
            }
            Err(error)
                if matches!(error.kind(), DecodeErrorKind::NotCanonical { .. } | DecodeErrorKind::PaddingNotZero) =>
            {
                Err(self.with_first_difference(bytes, error))
            }
            Err(error) => Err(error),
        }
    }

    /// Moves the offset of a strict error to the first byte that the engine would write differently. It can be before
    /// the byte where the error was found: a duplicate key changes the count.
    #[cold]
    fn with_first_difference(&self, bytes: &[u8], error: DecodeError) -> DecodeError {
        let ReadOptions { profile, objects, precision, .. } = self.options;
        let options = WriteOptions { profile, objects, precision, fixes_engine_bugs: true, ..Default::default() };
        let Ok(value) = self.engine_exact().decode(bytes) else { return error };
        let mut canonical = MarkedPadding::default();
        let Ok(()) = TreeWriter::new(Writer::new(&mut canonical, options)).write(&value) else { return error };
        let MarkedPadding { bytes: mut canonical, padding } = canonical;
        // The padding before the error was accepted, so the bytes that are not zero are in undefined padding.
        for offset in padding.into_iter().take_while(|offset| *offset < error.offset()) {
            if let (Some(written), Some(read)) = (canonical.get_mut(offset), bytes.get(offset)) {
                *written = *read;
            }
        }
        let difference = bytes.iter().zip(&canonical).position(|(read, written)| read != written);
        error.with_offset(difference.unwrap_or(bytes.len().min(canonical.len())))
    }

    /// In strict reading, refuses bytes after the value.
    #[inline]
    pub(crate) fn refuse_trailing<T>(&self, bytes: &[u8], decoded: Decoded<T>) -> Result<Decoded<T>, DecodeError> {
        let count = bytes.len() - decoded.consumed;
        if self.options.strict && count > 0 {
            return Err(DecodeError::new(DecodeErrorKind::TrailingBytes { count }, decoded.consumed));
        }
        Ok(decoded)
    }
}
