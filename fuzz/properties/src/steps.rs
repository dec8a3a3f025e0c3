//! The builder that builds nothing and counts how often it is told of something.

use varbytes::codec::{Builder, DuplicateKeys, PackedNumbers};
use varbytes::variant::{ContainerType, Image, InputEvent, NodePath, Reals, Text};
use varbytes::{DecodeErrorKind, MemberConversion, VariantType};

/// How often the reader told of something. A clock would count the other work of the machine.
#[derive(Debug, Default)]
pub struct Steps(pub usize);

impl Steps {
    fn step(&mut self) {
        self.0 += 1;
    }

    fn checked_step(&mut self) -> Result<(), DecodeErrorKind> {
        self.step();
        Ok(())
    }
}

/// Methods that count the call and do nothing else.
macro_rules! counted {
    ($($name:ident($($argument:ty),*);)*) => { $(fn $name(&mut self, $(_: $argument),*) { self.step(); })* };
}

macro_rules! counted_results {
    ($($name:ident($($argument:ty),*);)*) => {
        $(fn $name(&mut self, $(_: $argument),*) -> Result<(), DecodeErrorKind> { self.checked_step() })*
    };
}

impl<'a> Builder<'a> for Steps {
    type Value = ();
    type Array = ();
    type Dictionary = ();
    type Object = ();
    type Strings = ();

    // Makes `decode_with` take its way through a tree, the longest there is, where a packet needs one.
    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Restarted;
    const WANTS_SPANS: bool = true;

    counted! {
        nil();
        bool(bool);
        int(i64);
        float(f64);
        string(&'a str);
        string_name(&'a str);
        made_string(VariantType, &Text);
        reals(VariantType, Reals<'_>);
        integers(VariantType, &[i32]);
        color([f32; 4]);
        node_path(bool, &[&'a str], &[&'a str]);
        made_node_path(&NodePath);
        rid(u64);
        null_object();
        object_id(u64);
        callable();
        signal(&'a str, u64);
        packed_bytes(&'a [u8]);
        packed_numbers(PackedNumbers<'a>);
        image(&Image);
        input_event(&InputEvent);
        begin_strings(usize);
        push_string(&mut (), &'a str);
        push_made_string(&mut (), &Text);
        end_strings(());
        share_array(&mut ());
        share_dictionary(&mut ());
        begin_entry();
        span(usize, usize);
    }

    counted_results! {
        begin_array(usize, Option<ContainerType>);
        push_element(&mut (), ());
        end_array(());
        begin_dictionary(usize, Option<ContainerType>, Option<ContainerType>);
        push_entry(&mut (), (), (), Option<usize>);
        end_dictionary(());
        begin_object(&'a str, usize);
        begin_property(&mut (), &'a str);
        push_property(&mut (), &'a str, ());
        end_object(());
    }

    fn convert(&mut self, (): (), _: VariantType, _: MemberConversion) -> Result<(), DecodeErrorKind> {
        self.step();
        Err(DecodeErrorKind::NeedsTree)
    }
}
