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

pub(crate) use add;
