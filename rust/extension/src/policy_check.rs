//! Reading a packet without building anything, to learn whether a policy allows all of it.

use varbytes::codec::{Builder, DuplicateKeys, PackedNumbers};
use varbytes::variant::{ContainerType, Image, InputEvent, NodePath, Reals, Text};
use varbytes::{DecodeErrorKind, MemberConversion, VariantType};

use crate::objects::SCRIPT;
use crate::policy::{AllowedObject, Policy};

/// Builds nothing, refuses what the policy does not allow. Without a policy, allows all.
pub(crate) struct PolicyCheck<'p> {
    policy: Option<&'p Policy>,
    /// The text of a property that names a script, from the moment that it is read.
    script: Script,
}

enum Script {
    NotAsked,
    Asked,
    Named(String),
}

impl<'p> PolicyCheck<'p> {
    pub(crate) fn new(policy: Option<&'p Policy>) -> Self {
        Self { policy, script: Script::NotAsked }
    }

    fn member_type(&self, member: Option<&ContainerType>) -> Result<(), DecodeErrorKind> {
        // A class name there makes nothing; a script's path makes the engine load the script.
        match (self.policy, member) {
            (Some(policy), Some(ContainerType::Script(path))) => policy.names_script(path).map_err(refused),
            _ => Ok(()),
        }
    }
}

fn refused(reason: String) -> DecodeErrorKind {
    DecodeErrorKind::Refused { reason: reason.into() }
}

impl<'a, 'p> Builder<'a> for PolicyCheck<'p> {
    type Value = ();
    type Array = ();
    type Dictionary = ();
    type Object = Option<AllowedObject<'p>>;
    type Strings = ();

    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;

    fn nil(&mut self) {}
    fn bool(&mut self, _: bool) {}
    fn int(&mut self, _: i64) {}
    fn float(&mut self, _: f64) {}

    fn string(&mut self, text: &'a str) {
        if matches!(self.script, Script::Asked) {
            self.script = Script::Named(text.to_owned());
        }
    }

    fn string_name(&mut self, _: &'a str) {}
    fn made_string(&mut self, _: VariantType, _: &Text) {}
    fn made_node_path(&mut self, _: &NodePath) {}
    fn image(&mut self, _: &Image) {}
    fn input_event(&mut self, _: &InputEvent) {}
    fn push_made_string(&mut self, (): &mut (), _: &Text) {}
    fn reals(&mut self, _: VariantType, _: Reals<'_>) {}
    fn integers(&mut self, _: VariantType, _: &[i32]) {}
    fn color(&mut self, _: [f32; 4]) {}
    fn node_path(&mut self, _: bool, _: &[&'a str], _: &[&'a str]) {}
    fn rid(&mut self, _: u64) {}
    fn null_object(&mut self) {}
    fn object_id(&mut self, _: u64) {}
    fn callable(&mut self) {}
    fn signal(&mut self, _: &'a str, _: u64) {}
    fn packed_bytes(&mut self, _: &'a [u8]) {}
    fn packed_numbers(&mut self, _: PackedNumbers<'a>) {}
    fn begin_strings(&mut self, _: usize) {}
    fn push_string(&mut self, (): &mut (), _: &'a str) {}
    fn end_strings(&mut self, (): ()) {}

    fn begin_array(&mut self, _: usize, element_type: Option<ContainerType>) -> Result<(), DecodeErrorKind> {
        self.member_type(element_type.as_ref())
    }

    fn push_element(&mut self, (): &mut (), (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_array(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn begin_dictionary(
        &mut self,
        _: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<(), DecodeErrorKind> {
        self.member_type(key_type.as_ref())?;
        self.member_type(value_type.as_ref())
    }

    fn push_entry(&mut self, (): &mut (), (): (), (): (), _: Option<usize>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_dictionary(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn begin_object(&mut self, class: &'a str, _: usize) -> Result<Option<AllowedObject<'p>>, DecodeErrorKind> {
        self.policy.map(|policy| policy.object(class, None)).transpose().map_err(refused)
    }

    fn begin_property(&mut self, object: &mut Option<AllowedObject<'p>>, name: &'a str) -> Result<(), DecodeErrorKind> {
        let Some(object) = object else { return Ok(()) };
        if !object.property(name) {
            return Err(refused(format!("property {name} is not allowed")));
        }
        self.script = if name == SCRIPT { Script::Asked } else { Script::NotAsked };
        Ok(())
    }

    fn push_property(
        &mut self,
        object: &mut Option<AllowedObject<'p>>,
        name: &'a str,
        (): (),
    ) -> Result<(), DecodeErrorKind> {
        let (Some(policy), Some(object)) = (self.policy, object) else { return Ok(()) };
        if name != SCRIPT {
            return Ok(());
        }
        match std::mem::replace(&mut self.script, Script::NotAsked) {
            Script::Named(path) => policy.with_script(object, &path).map_err(refused),
            // Null: the object has no script.
            _ => Ok(()),
        }
    }

    fn end_object(&mut self, _: Option<AllowedObject<'p>>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn convert(&mut self, (): (), _: VariantType, _: MemberConversion) -> Result<(), DecodeErrorKind> {
        Ok(())
    }
}
