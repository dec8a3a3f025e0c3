//! Finds the section of `FORMAT.md` that states the rule of a vector.

use std::collections::BTreeMap;

use varbytes::VariantType;

use super::case::{Case, Expected};

/// A section, and the row of it that cites the vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The heading, such as `8. NodePath`.
    pub section: String,
    /// The row without its citations, if the vector is cited.
    pub row: Option<String>,
}

/// The sections of `FORMAT.md`.
#[derive(Debug)]
pub struct Sections {
    headings: Vec<String>,
    /// The rules whose row cites a vector, in the order of the page.
    cited: BTreeMap<String, Vec<Rule>>,
}

impl Sections {
    /// Reads the headings, and which row cites which vector.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (mut headings, mut cited) = (Vec::new(), BTreeMap::<_, Vec<Rule>>::new());
        let mut heading = String::new();
        for line in text.lines() {
            if let Some(title) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
                // A heading without a number belongs to the one before it.
                let numbered = title.starts_with(|first: char| first.is_ascii_digit());
                if numbered {
                    title.clone_into(&mut heading);
                    headings.push(heading.clone());
                }
            }
            for name in line.split('`').skip(1).step_by(2).filter(|name| name.contains('/')) {
                cited.entry(name.to_owned()).or_default().push(Rule { section: heading.clone(), row: row(line) });
            }
        }
        Self { headings, cited }
    }

    /// Returns the rule of a case: the one that cites it, best in the section about its type.
    #[must_use]
    pub fn rule(&self, case: &Case) -> Rule {
        let number = number(case);
        let cited = self.cited.get(&case.vector).map_or(&[][..], Vec::as_slice);
        let best = cited.iter().find(|rule| rule.section.starts_with(number)).or(cited.first());
        if let Some(rule) = best {
            return rule.clone();
        }
        let heading = self.headings.iter().find(|heading| heading.starts_with(&format!("{number} ")));
        Rule { section: heading.cloned().unwrap_or_else(|| number.to_owned()), row: None }
    }
}

/// Returns the cells of a row without the last, which has the citations.
fn row(line: &str) -> Option<String> {
    let cells: Vec<&str> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
    let (_, cells) = cells.split_last()?;
    let cells: Vec<&str> = cells.iter().copied().filter(|cell| !cell.is_empty()).collect();
    Some(cells.join("; ").replace("**", ""))
}

/// Returns the number of the section for a case that is not cited.
fn number(case: &Case) -> &'static str {
    // Parts of the names of vectors, for rules that do not belong to one type. Earlier ones are more specific.
    const TOPICS: [(&str, &str); 14] = [
        ("header-bit", "2."),
        ("/empty", "2."),
        ("header-of", "2."),
        ("/type-", "3."),
        ("width-of", "7."),
        ("too-deep", "15."),
        ("in-deepest", "15."),
        ("nested-to", "15."),
        ("in-itself", "15."),
        ("key-", "11.4"),
        ("keys", "11.4"),
        ("-loses", "11.3"),
        ("convert", "11.3"),
        ("trailing", "16."),
    ];
    let name = case.vector.split_once('/').map_or(&*case.vector, |(_, name)| name);
    let is_type = name.split('/').next().and_then(type_named);
    let topic = TOPICS.iter().find(|(topic, _)| format!("/{name}").contains(topic));
    if let (None, Some((_, number))) = (is_type, topic) {
        return number;
    }
    let word = name.rsplit('/').next().and_then(|last| last.split('-').next());
    let variant_type = is_type.or_else(|| word.and_then(type_named)).or_else(|| match &case.expected {
        Expected::Value(value, _) | Expected::Bytes(_, _, value) => Some(value.variant_type()),
        _ => case.types.iter().next().copied(),
    });
    variant_type.map_or("16.", section_of)
}

fn type_named(name: &str) -> Option<VariantType> {
    VariantType::ALL.iter().copied().find(|variant_type| variant_type.name().eq_ignore_ascii_case(name))
}

/// Returns the number of the section about a type.
fn section_of(variant_type: VariantType) -> &'static str {
    use VariantType as T;
    match variant_type {
        T::Nil | T::Bool | T::Int | T::Float => "5.",
        T::String | T::StringName => "6.",
        T::NodePath => "8.",
        T::RID | T::Callable | T::Signal => "9.",
        T::Object => "10.",
        T::Array | T::Dictionary => "11.",
        T::Image | T::InputEvent => "13.",
        T::TypedArray | T::PackedTypedArray => "14.",
        other if other.name().starts_with("Packed") => "12.",
        _ => "7.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cited_vector_has_the_row_that_cites_it() {
        let text = "## 5. Numbers\n### int\n| Engines | | Fact | Proof |\n|---|---|---|---|\n\
                    | 3.1 on | written | **4 bytes** | `godot-4.6/int/1` |\n## 6. Text\n";
        let sections = Sections::parse(text);
        let rule = Rule { section: "5. Numbers".to_owned(), row: Some("3.1 on; written; 4 bytes".to_owned()) };
        assert_eq!(sections.cited.get("godot-4.6/int/1"), Some(&vec![rule]));
        assert_eq!(sections.headings, ["5. Numbers", "6. Text"]);
    }
}
