//! `Callable` and `Signal`.

use crate::VariantType;
use crate::build::builder::Builder;
use crate::error::{DecodeError, EncodeErrorKind};
use crate::read::input::Input;
use crate::write::sink::Sink;
use crate::write::writer::Writer;

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    pub(crate) fn read_callable(&mut self) -> Result<B::Value, DecodeError> {
        self.charge(const { B::COSTS.callable }, 0)?;
        Ok(self.builder.callable())
    }

    pub(crate) fn read_signal(&mut self) -> Result<B::Value, DecodeError> {
        let name = self.read_text_field()?;
        let object_id = self.cursor.u64()?;
        self.charge(const { B::COSTS.signal }, 0)?;
        Ok(self.builder.signal(name, object_id))
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Writes a `Callable`: 4 bytes. The target of the call is not encoded.
    pub fn callable(&mut self) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Callable, 0)
    }

    /// Writes a `Signal`: a string field and the id of the object, also if full objects are allowed.
    pub fn signal(&mut self, name: &str, object_id: u64) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Signal, 0)?;
        self.text_field(name)?;
        self.sink.put(&object_id.to_le_bytes());
        Ok(())
    }
}
