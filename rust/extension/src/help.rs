//! Adds text to the editor help for what has no doc comment.

/// Adds text to the help of a class, in the XML of the engine's class reference.
macro_rules! add {
    ($class:ty, $part:ident: $text:expr) => {
        ::godot::sys::shard_add!(::godot::private::__GODOT_DOCS_REGISTRY; ::godot::private::DocsShard::new::<$class>(
            ::godot::private::DocsItem::InherentImpl(::godot::private::InherentImplDocs {
                $part: $text,
                ..Default::default()
            }),
        ));
    };
}

/// Returns the help of properties that are not fields, as help of methods: the bindings put that between `<methods>` and
/// `</methods>`, and have no place for such properties.
macro_rules! members {
    ($xml:literal) => {
        concat!("</methods><members>", $xml, "</members><methods>")
    };
}

pub(crate) use {add, members};
