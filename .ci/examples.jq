# Reads rustdoc's JSON of a crate and prints each public item without an example.
#
# An item has an example if its documentation has a code block, or links to an item whose code blocks name it. The
# example of a trait is that of its methods. A module without items is a page.

def code: [(.docs // "") | split("```") | to_entries[] | select(.key % 2 == 1).value] | join("\n");
def kind: .inner | keys[0];

.index as $index
| ([$index[] | select(kind == "impl") | .inner.impl | select(.trait == null) | (.for.resolved_path.path // "" | split("::") | last) as $type
    | .items[] | {key: tostring, value: $type}] | from_entries) as $types
| [$index[] | select(kind == "impl") | .inner.impl | select(.trait != null).items[] | tostring] as $of_traits
| $index[]
| select(.crate_id == 0 and .visibility == "public" and .name != null)
| select(kind | IN("struct", "enum", "union", "trait", "function", "macro", "module"))
| select((.id | tostring | IN($of_traits[])) or (kind == "module" and .inner.module.items == []) | not)
| .name as $name
| ([., ((.links // {})[] | tostring | $index[.] // empty | select(code | test("\\b" + $name + "\\b")))] | map(code) | add) as $code
| select($code == "")
| "\(.span.filename // ""):\(.span.begin[0] // ""): \(kind) \([$types[.id | tostring] // empty, $name] | join("::"))"
