//! Decoding: the settings, and the ways to read a packet.

use crate::build::borrowed::BorrowBuilder;
use crate::build::builder::Builder;
use crate::build::owned::TreeBuilder;
use crate::build::replay::Replay;
use crate::build::validate::ObjectPolicy;
use crate::build::validate::Validator;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::options::ReadOptions;
use crate::read::machine::Reader;
use crate::read::recursive::read_single_fast_value;
use crate::variant::VariantRef;
use crate::write::sink::MarkedPadding;
use crate::{Encoder, Limits, Precision, Profile, Variant};

/// How bytes are read: as which engine version, engine-exact or strict, with which limits.
///
/// *Engine-exact*, the default, accepts and rejects what that engine accepts and rejects, and gives the
/// value it gives; what follows the value is ignored. *Strict* accepts only bytes that the engine writes, and nothing
/// after them. Those are the bytes that encoding the value gives back, but for padding that some engine versions leave
/// undefined: there any byte is accepted, unless [`zero_padding`](Self::zero_padding) asks for zeroes. Values of typed
/// dictionaries must match their type.
///
/// Objects are refused unless allowed, and are data even then.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decoder {
    options: ReadOptions,
}

/// A value and how many bytes it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded<T> {
    /// What was built.
    pub value: T,
    /// Bytes of the input that the value took; what follows begins there.
    pub consumed: usize,
    /// Bytes that the value takes with all of its padding, as the engine's `decode_var_size` counts: up to
    /// 3 more than `consumed` where the padding of a `PackedByteArray` is missing at the end of the input.
    pub used: usize,
}

impl Decoder {
    /// As the newest engine known, engine-exact, objects refused, no limit but the engine's own depth.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// For bytes that anyone may have made: [`Limits::untrusted`] for their length, and
    /// [`enforce_types`](Self::enforce_types).
    ///
    /// What it reads takes memory and time in proportion to the bytes, holds no member, key or value of another type
    /// than is declared, and nothing a sender writes makes it panic, run out of stack, or reserve what does not come.
    /// It accepts what engines write.
    ///
    /// It does not say what the values are: check them before use. It does not bound how many bytes there are, nor
    /// look at text, which may hold control characters, nor at names of classes and scripts where
    /// [`objects`](Self::objects) are allowed: they are data here, and whoever makes objects of them needs a list of
    /// those allowed, such as an [`ObjectPolicy`]. [`strict`](Self::strict) may be added: only what an engine would
    /// write itself is read then.
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

    /// The engine version to read as.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.options.profile = profile;
        self
    }

    /// Whether full objects are allowed, as in `bytes_to_var_with_objects`. They are read as data.
    ///
    /// An engine also asks whether it has the class and the script. That is no matter of the bytes; here
    /// any name is taken.
    #[must_use]
    pub fn objects(mut self, objects: bool) -> Self {
        self.options.objects = objects;
        self
    }

    /// Whether only bytes that the engine writes are accepted.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.options.strict = strict;
        self
    }

    /// Whether strict reading also refuses padding other than zero where the engine leaves it undefined, so that no two
    /// packets hold the same value. This refuses packets of real engines.
    ///
    /// Undefined is the padding of the strings of a `NodePath` in every engine but Godot 4.6.3 and later; that of a
    /// `PackedByteArray` before Godot 3.1.2; that of strings, names and images before 3.0.3; that of the strings of a
    /// `PackedStringArray` before 3.0.6 and 2.1.5. A profile that covers releases on both sides of such a change accepts
    /// what either writes.
    ///
    /// ```
    /// use varbytes::{DecodeErrorKind, Decoder, Profile};
    ///
    /// // The NodePath "a", and three bytes of memory.
    /// let path = [22, 0, 0, 0, 1, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, b'a', 7, 7, 7];
    /// let strict = Decoder::new().profile(Profile::GODOT_4_6).strict(true);
    /// assert!(strict.decode(&path).is_ok());
    /// let error = strict.zero_padding(true).decode(&path).unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (&DecodeErrorKind::PaddingNotZero, 21));
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    #[must_use]
    pub fn zero_padding(mut self, zero_padding: bool) -> Self {
        self.options.zero_padding = zero_padding;
        self
    }

    /// Whether values of typed dictionaries must match their declared type, as keys and members of typed arrays
    /// always must. Strict reading implies it.
    ///
    /// Engines read such values unchecked, and typed scripts trust the declared type: a `Dictionary[int, int]` that
    /// holds a `String` makes it work on memory that is no number. With this, a value is read as the engine's
    /// own `Dictionary.set` takes it: converted where that converts, and left out with its key where that refuses.
    /// Strict reading refuses both with [`DecodeErrorKind::MistypedValue`].
    ///
    /// An object of any class fits a container of any class or script: which class inherits which is known to an
    /// engine alone. An object known by its id alone (`EncodedObjectAsID`) fits no other class.
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
    /// let Variant::Dictionary(enforced) = Decoder::new().enforce_types(true).decode(&packet)? else { unreachable!() };
    /// assert_eq!(enforced.entries().len(), 0);
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    #[must_use]
    pub fn enforce_types(mut self, enforce: bool) -> Self {
        self.options.enforces_types = enforce;
        self
    }

    /// What the packet may use.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Reads as an engine of that precision. A single-precision one narrows 8-byte components; a double-precision one
    /// converts members of typed containers with components of 8 bytes, also those that came in 4. Strict reading accepts
    /// components of that precision alone. Without this, components keep the precision they have on the wire.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.options.precision = Some(precision);
        self
    }

    /// Reads as a release build of the engine, as exported games are; otherwise as the editor and debug builds do.
    ///
    /// The two convert one kind of member differently: of a `Basis` that is no rotation, in a container of
    /// `Quaternion`, a release build computes a quaternion, and other builds give the identity and print an error.
    #[must_use]
    pub fn release_build(mut self, is_release: bool) -> Self {
        self.options.is_release = is_release;
        self
    }

    /// Whether values are read as they were meant where the engine is known to read what it wrote wrongly: the vectors
    /// of four components, the `Projection` and the arrays of such of Pandemonium 3.8 and later; the `NodePath` "/" before
    /// Godot 4.3, and every one without names before 3.0. Strict reading always does.
    #[must_use]
    pub fn fix_engine_bugs(mut self, fix: bool) -> Self {
        self.options.fixes_engine_bugs = fix;
        self
    }

    /// Whether to read with the slow path alone. Results do not depend on it: tests use it to compare both paths.
    #[doc(hidden)]
    #[must_use]
    pub fn slow_path_only(mut self, slow_path_only: bool) -> Self {
        self.options.slow_path_only = slow_path_only;
        self
    }

    /// The value that `bytes` begin with.
    ///
    /// # Errors
    /// Of every [`DecodeErrorKind`], with offset and path.
    pub fn decode(&self, bytes: &[u8]) -> Result<Variant, DecodeError> {
        let decoded = self.run(bytes, &mut TreeBuilder)?;
        self.refuse_trailing(bytes, decoded.consumed)?;
        Ok(decoded.value)
    }

    /// The value that `bytes` begin with, and how many of them it took. What follows is left alone, in
    /// strict reading too.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_prefix(&self, bytes: &[u8]) -> Result<Decoded<Variant>, DecodeError> {
        self.run(bytes, &mut TreeBuilder)
    }

    /// The value that `bytes` begin with, its text and packed arrays as views of `bytes`.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_borrowed<'a>(&self, bytes: &'a [u8]) -> Result<VariantRef<'a>, DecodeError> {
        let decoded = self.decode_borrowed_prefix(bytes)?;
        self.refuse_trailing(bytes, decoded.consumed)?;
        Ok(decoded.value)
    }

    /// The same, and how many bytes it took; what follows is left alone, as in
    /// [`decode_prefix`](Self::decode_prefix).
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_borrowed_prefix<'a>(&self, bytes: &'a [u8]) -> Result<Decoded<VariantRef<'a>>, DecodeError> {
        self.run(bytes, &mut BorrowBuilder)
    }

    /// Whether `bytes` would be decoded, without building anything; gives the bytes the value takes.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn check(&self, bytes: &[u8]) -> Result<Decoded<()>, DecodeError> {
        self.check_with(bytes, ())
    }

    /// The same, and whether a policy allows every class, property and container type that is named.
    ///
    /// # Errors
    /// As [`decode`](Self::decode), and what the policy says.
    pub fn check_with(&self, bytes: &[u8], policy: impl ObjectPolicy) -> Result<Decoded<()>, DecodeError> {
        // A tree would be without what conversions lose, and the policy is asked about that too.
        let mut validator = Validator::new(policy).assuming_coercions();
        let mut checked = self.run(bytes, &mut validator);
        if checked.as_ref().is_err_and(DecodeError::needs_tree) {
            // Whether two keys are equal. If none are, what the policy says is all that is left to be asked.
            self.decode_prefix(bytes)?;
            checked = self.with_unique_keys().run(bytes, &mut validator);
        }
        if validator.has_coercions() {
            self.decode_prefix(bytes)?;
        }
        let checked = checked?;
        self.refuse_trailing(bytes, checked.consumed)?;
        Ok(checked)
    }

    /// Reads one value into whatever `builder` makes of it.
    ///
    /// Two things a builder may be unable to do in one pass, because the engine decides them by looking
    /// into values: finding that two keys are equal, and converting members of typed containers. A packet
    /// that needs either is read into a tree first and built from that tree, in which neither occurs.
    /// [`Builder::restart`] tells the builder to forget what it made before.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_with<T, B>(&self, bytes: &[u8], builder: &mut B) -> Result<Decoded<T>, DecodeError>
    where
        B: for<'a> Builder<'a, Value = T>,
    {
        match self.run(bytes, builder) {
            Err(error) if error.needs_tree() => {
                let Decoded { value: tree, consumed, used } = self.decode_prefix(bytes)?;
                builder.restart();
                // The reader has checked everything but what the values take in this builder. A builder may refuse a
                // value: its offset is unknown, so the error has the offset where the tree was needed.
                let replay = Replay::new(builder, self.options.limits.memory);
                let value = replay.run(&tree).map_err(|refused| refused.with_offset(error.offset()))?;
                Ok(Decoded { value, consumed, used })
            }
            result => result,
        }
    }

    /// The same for a builder that needs no second pass: one that takes no interest in equal keys or merges
    /// them, and converts members. It may borrow from the input.
    ///
    /// # Errors
    /// As [`decode`](Self::decode); of the category unsupported where the builder does need a second pass.
    pub fn decode_prefix_with<'a, B: Builder<'a>>(
        &self,
        bytes: &'a [u8],
        builder: &mut B,
    ) -> Result<Decoded<B::Value>, DecodeError> {
        self.run(bytes, builder)
    }

    /// The value that `bytes` begin with where that is null, a `bool`, a number or ordinary text and everything
    /// about it is in order. Whatever else there is, the other ways read, and say what is wrong with it.
    #[inline(always)]
    pub fn decode_plain_with<'a, B: Builder<'a>>(&self, bytes: &'a [u8], builder: &mut B) -> Option<Decoded<B::Value>> {
        read_single_fast_value(bytes, &self.options, builder).map(|(value, used)| Decoded {
            value,
            consumed: used,
            used,
        })
    }

    /// Without a search for equal keys.
    pub(crate) fn with_unique_keys(mut self) -> Self {
        self.options.keys_are_unique = true;
        self
    }

    pub(crate) const fn options(&self) -> &ReadOptions {
        &self.options
    }

    #[inline(always)]
    fn run<'a, B: Builder<'a>>(&self, bytes: &'a [u8], builder: &mut B) -> Result<Decoded<B::Value>, DecodeError> {
        match Reader::new(bytes, &self.options, builder).read() {
            Ok((value, used)) => Ok(Decoded { value, consumed: used.min(bytes.len()), used }),
            Err(error)
                if matches!(error.kind(), DecodeErrorKind::NotCanonical { .. } | DecodeErrorKind::PaddingNotZero) =>
            {
                Err(self.with_first_difference(bytes, error))
            }
            Err(error) => Err(error),
        }
    }

    /// Moves the offset of a strict error to the first byte that the engine would write differently,
    /// which can be before the one where reading noticed: a duplicate key changes the count.
    #[cold]
    fn with_first_difference(&self, bytes: &[u8], error: DecodeError) -> DecodeError {
        let exact = ReadOptions { strict: false, enforces_types: false, fixes_engine_bugs: true, ..self.options };
        let exact = Self { options: exact };
        let encoder = Encoder::new().profile(self.options.profile).objects(self.options.objects);
        let mut encoder = encoder.fix_engine_bugs(true);
        if let Some(precision) = self.options.precision {
            encoder = encoder.precision(precision);
        }
        let Ok(value) = exact.decode(bytes) else { return error };
        let mut canonical = MarkedPadding::default();
        let Ok(()) = encoder.encode_to(&value, &mut canonical) else { return error };
        let MarkedPadding { bytes: mut canonical, padding } = canonical;
        // Reading has accepted all padding before the error: what is not zero there is undefined.
        for offset in padding.into_iter().take_while(|offset| *offset < error.offset()) {
            if let (Some(written), Some(read)) = (canonical.get_mut(offset), bytes.get(offset)) {
                *written = *read;
            }
        }
        let difference = bytes.iter().zip(&canonical).position(|(read, written)| read != written);
        error.with_offset(difference.unwrap_or(bytes.len().min(canonical.len())))
    }

    pub(crate) fn refuse_trailing(&self, bytes: &[u8], consumed: usize) -> Result<(), DecodeError> {
        let count = bytes.len() - consumed;
        if self.options.strict && count > 0 {
            return Err(DecodeError::new(DecodeErrorKind::TrailingBytes { count }, consumed));
        }
        Ok(())
    }
}
