//! Checks the codec against vectors, one vector and one direction at a time.

use anyhow::Result;
use varbytes::{Architecture, Category, Decoder, Encoder, Path, Precision, Profile, Variant};

use crate::compare::{self, Difference, Mask, UndefinedPadding};
use crate::engine::EngineVersion;
use crate::vectors::{Canonical, Manifest, NonCanonical, Refused, Rejected, Rewritten};

/// The engine to read and write as.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The profile of the engine's version.
    pub profile: Profile,
    /// The precision of its build.
    pub precision: Precision,
    /// The padding that the engine leaves undefined.
    pub undefined_padding: UndefinedPadding,
    /// Whether it is a release build, as exported games are.
    pub release_build: bool,
    /// The processor architecture that it is built for.
    pub architecture: Architecture,
}

impl Setting {
    /// The newest known engine in its ordinary build.
    pub const NEWEST: Self = Self {
        profile: Profile::NEWEST,
        precision: Precision::Single,
        undefined_padding: UndefinedPadding::None,
        release_build: false,
        architecture: Architecture::X86_64,
    };

    /// Returns the setting of an engine that is run.
    #[must_use]
    pub fn of(version: &EngineVersion, profile: Profile, precision: Precision) -> Self {
        /// The first version that writes zeros into the padding of a `NodePath` (pull request 116105). All engines
        /// that are run write zeros everywhere else.
        const PADS: (u32, u32, u32) = (4, 6, 3);
        let pads = (version.major, version.minor, version.patch) >= PADS;
        let undefined_padding = if pads { UndefinedPadding::None } else { UndefinedPadding::OfNodePaths };
        Self { profile, precision, undefined_padding, ..Self::NEWEST }
    }

    /// Returns the padding that an engine of a profile leaves undefined, as far as comparisons know it.
    #[must_use]
    pub fn padding_of(profile: Profile) -> UndefinedPadding {
        match profile.name() {
            "godot-4.6.3" => UndefinedPadding::None,
            "godot-2.1" | "godot-2.1.5" | "godot-3.0" => UndefinedPadding::All,
            _ => UndefinedPadding::OfNodePaths,
        }
    }

    /// Returns the setting of the engine that wrote a set of vectors.
    ///
    /// # Errors
    /// If the manifest names an unknown engine.
    pub fn of_manifest(manifest: &Manifest) -> Result<Self> {
        let profile = Profile::from_name(&manifest.profile)?;
        Ok(Self::of(&manifest.build.parse()?, profile, manifest.precision()))
    }

    /// Returns the decoder for the engine.
    #[must_use]
    pub fn decoder(&self, objects: bool) -> Decoder {
        Decoder::new()
            .profile(self.profile)
            .precision(self.precision)
            .release_build(self.release_build)
            .architecture(self.architecture)
            .objects(objects)
    }

    /// Returns the encoder for the engine.
    #[must_use]
    pub fn encoder(&self, full_objects: bool) -> Encoder {
        Encoder::new().profile(self.profile).precision(self.precision).objects(full_objects)
    }

    /// Checks that the value of a canonical vector encodes to its bytes.
    ///
    /// # Errors
    /// If the vector is malformed.
    pub fn encodes(&self, vector: &Canonical) -> Result<Option<Difference>> {
        let value = self.expected(vector)?;
        let encoder = self.encoder(vector.full_objects);
        let difference = compare::encoding(&encoder, &vector.name, &value, &vector.bytes, self.mask());
        if difference.is_some() {
            return Ok(difference);
        }
        let length = encoder.encoded_len(&value)?;
        Ok((length != vector.bytes.len()).then(|| Difference {
            name: vector.name.clone(),
            what: format!("encoded_len is {length}, the bytes are {}", vector.bytes.len()),
            path: Path::default(),
        }))
    }

    /// Returns the value of a canonical vector. In engines with a shared bit, dictionaries are in hash order, so the
    /// entries get the order of the bytes.
    fn expected(&self, vector: &Canonical) -> Result<Variant> {
        let mut value = vector.value()?;
        if self.profile.has_shared_bit()
            && let Ok(decoded) = self.decoder(vector.full_objects).decode(&vector.bytes)
        {
            compare::order_entries_as(&mut value, &decoded);
        }
        Ok(value)
    }

    fn mask(&self) -> Mask {
        Mask { padding: self.undefined_padding, ids: false }
    }

    /// Checks that all bytes of a canonical vector decode to its value, also strictly. An engine may leave padding
    /// undefined. Bytes with other differences are not read strictly; encoding reports those differences.
    ///
    /// # Errors
    /// If the vector is malformed.
    pub fn decodes(&self, vector: &Canonical) -> Result<Option<Difference>> {
        let expected = self.expected(vector)?;
        let decoder = self.decoder(vector.full_objects);
        let exact = self.decodes_to(&decoder, &vector.name, &vector.bytes, &expected, vector.bytes.len());
        if exact.is_some() || self.encodes(vector)?.is_some() {
            return Ok(exact);
        }
        let strict = decoder.strict(true);
        Ok(self.decodes_to(&strict, &vector.name, &vector.bytes, &expected, vector.bytes.len()))
    }

    /// Checks that non-canonical bytes decode to the engine's value, with the same number of bytes used.
    ///
    /// # Errors
    /// If the vector is malformed.
    pub fn decodes_non_canonical(&self, vector: &NonCanonical) -> Result<Option<Difference>> {
        let expected = vector.value()?;
        let decoder = self.decoder(vector.allow_objects);
        let difference = self.decodes_to(&decoder, &vector.name, &vector.bytes, &expected, vector.used);
        // The engine writes the id of the object that holds the id, so the two always differ.
        if difference.is_some() || compare::holds_ids(&expected) {
            return Ok(difference);
        }
        // Strict reading must refuse bytes that the engine would write differently.
        let strict = decoder.strict(true).decode(&vector.bytes).ok();
        let encoder = self.encoder(vector.allow_objects);
        let otherwise = strict
            .filter(|value| compare::encoding(&encoder, &vector.name, value, &vector.rewritten, self.mask()).is_some());
        Ok(otherwise.map(|_| Difference {
            name: vector.name.clone(),
            what: "strict reading accepts what the engine writes otherwise".to_owned(),
            path: Path::default(),
        }))
    }

    pub(crate) fn decodes_to(
        &self,
        decoder: &Decoder,
        name: &str,
        bytes: &[u8],
        expected: &Variant,
        used: usize,
    ) -> Option<Difference> {
        let mut decoded = match decoder.decode_prefix(bytes) {
            Ok(decoded) => decoded,
            Err(error) => {
                let what = format!("cannot be decoded: {}, at byte {}", error.kind(), error.offset());
                return Some(Difference { name: name.to_owned(), what, path: error.path().clone() });
            }
        };
        if decoded.used != used {
            let what = format!("uses {} bytes, the engine {used}", decoded.used);
            return Some(Difference { name: name.to_owned(), what, path: Path::default() });
        }
        compare::forget_precision_of_empty(&mut decoded.value);
        compare::values(name, expected, &decoded.value)
    }

    /// Checks that the value read from non-canonical bytes is written as the engine writes it, except ids. For an
    /// object read by id, the engine writes the `EncodedObjectAsID` that holds the id: by its own id or, with full
    /// objects, in full.
    #[must_use]
    pub fn rewrites(&self, vector: &NonCanonical) -> Option<Difference> {
        self.rewrites_packet(&vector.name, &vector.bytes, vector.allow_objects, &vector.rewritten)
    }

    /// Checks that the same number of bytes is used, and the value is written as the engine writes it.
    #[must_use]
    pub fn reads_and_rewrites(&self, vector: &Rewritten) -> Option<Difference> {
        let read = self.decoder(false).decode_prefix(&vector.bytes);
        let used = read.ok().map(|decoded| decoded.used);
        if used != Some(vector.used) {
            let what = format!("uses {used:?} bytes, the engine {}", vector.used);
            return Some(Difference { name: vector.name.clone(), what, path: Path::default() });
        }
        self.rewrites_packet(&vector.name, &vector.bytes, false, &vector.rewritten)
    }

    /// Does the same for any bytes that both read.
    #[must_use]
    pub fn rewrites_packet(&self, name: &str, bytes: &[u8], objects: bool, rewritten: &[u8]) -> Option<Difference> {
        let value = match self.decoder(objects).decode(bytes) {
            Ok(value) => value,
            Err(error) => {
                let what = format!("cannot be decoded: {}", error.kind());
                return Some(Difference { name: name.to_owned(), what, path: error.path().clone() });
            }
        };
        self.writes(name, value, objects, rewritten)
    }

    /// Checks that a value is written as the engine writes it.
    #[must_use]
    pub fn writes(&self, name: &str, mut value: Variant, objects: bool, rewritten: &[u8]) -> Option<Difference> {
        if objects {
            compare::replace_ids_by_objects(&mut value);
        }
        let mask = Mask { ids: !objects, ..self.mask() };
        compare::encoding(&self.encoder(objects), name, &value, rewritten, mask)
    }

    /// Checks that bytes that the engine rejects are rejected.
    #[must_use]
    pub fn rejects(&self, vector: &Rejected) -> Option<Difference> {
        let accepted = self.decoder(vector.allow_objects).decode_prefix(&vector.bytes).ok()?;
        Some(Difference {
            name: vector.name.clone(),
            what: format!(
                "accepted as {}, but the engine rejects it: {}",
                accepted.value.variant_type(),
                vector.reason
            ),
            path: Path::default(),
        })
    }

    /// Checks that a value that the engine refuses is refused; `None` if it cannot exist outside an engine.
    ///
    /// # Errors
    /// If the vector is malformed.
    pub fn refuses(&self, vector: &Refused) -> Result<Option<Option<Difference>>> {
        let Some(value) = vector.value()? else { return Ok(None) };
        let accepted = self.encoder(vector.full_objects).encode(&value).is_ok();
        Ok(Some(accepted.then(|| Difference {
            name: vector.name.clone(),
            what: format!("encoded, but the engine refuses it: {}", vector.reason),
            path: Path::default(),
        })))
    }

    /// Checks that [proper prefixes](proper_prefixes) of a canonical vector are refused as truncated, except if they
    /// only lack the padding of a byte array at the end, which is optional.
    #[must_use]
    pub fn refuses_prefixes(&self, name: &str, bytes: &[u8], objects: bool) -> Option<Difference> {
        let decoder = self.decoder(objects);
        proper_prefixes(bytes.len()).find_map(|length| match decoder.decode_prefix(&bytes[..length]) {
            Err(error) if error.category() == Category::Truncated => None,
            Ok(decoded) if decoded.used == bytes.len() && bytes.len() - length < 4 => None,
            outcome => Some(Difference {
                name: name.to_owned(),
                what: format!("its first {length} bytes: {:?}", outcome.map(|decoded| decoded.used)),
                path: Path::default(),
            }),
        })
    }
}

/// Returns lengths of proper prefixes of `length` bytes: all, or for many bytes those near the ends and some between,
/// at every alignment. All prefixes of tens of thousands of bytes would take minutes.
pub fn proper_prefixes(length: usize) -> impl Iterator<Item = usize> {
    const NEAR: usize = 128;
    const STEP: usize = 101;
    (0..length).filter(move |prefix| *prefix < NEAR || *prefix + NEAR >= length || prefix % STEP == 0)
}
