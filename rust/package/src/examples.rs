//! The examples in the editor help, taken from the sources of the extension.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

/// The file of examples in the copy of the project.
const FILE: &str = "tests/help_examples.json";

/// How the XML of a method or property that has no doc comment begins.
const ELEMENTS: [&str; 2] = ["<method name=\"", "<member name=\""];

/// How an example begins and ends in a doc comment, and in XML.
const FENCES: [[&str; 2]; 2] = [["```gdscript", "```"], ["[codeblock lang=gdscript]", "[/codeblock]"]];

/// Writes all examples into the copy of the project, for the suite that runs them.
///
/// # Errors
/// Returns an error if the sources cannot be read or have no examples.
pub(crate) fn write(repository: &Path, project: &Path) -> Result<()> {
    let mut examples = Vec::new();
    collect(&repository.join("rust/extension/src"), &mut examples)?;
    ensure!(!examples.is_empty(), "the sources of the extension have no examples");
    fs::write(project.join(FILE), Value::Array(examples).to_string()).context("cannot write the examples")
}

fn collect(folder: &Path, examples: &mut Vec<Value>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, examples)?;
        } else {
            let source = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            examples.extend(in_source(&source));
        }
    }
    Ok(())
}

/// Returns the examples in one file. Each is of a class, and of a member if it is not of the class itself.
fn in_source(source: &str) -> Vec<Value> {
    let mut examples = Vec::new();
    let (mut class, mut member) = (String::new(), String::new());
    // Those of a doc comment, whose item follows.
    let mut waiting: Vec<String> = Vec::new();
    let mut open: Option<(String, &str)> = None;
    let mut in_element = false;
    for line in source.lines() {
        let comment = line.trim_start().strip_prefix("///");
        let text = comment.map_or(line, |text| text.strip_prefix(' ').unwrap_or(text));
        if let Some((code, end)) = &mut open {
            if text != *end && !text.starts_with("[/codeblock]") {
                code.push_str(text);
                code.push('\n');
            } else if let Some((code, _)) = open.take() {
                match comment {
                    Some(_) => waiting.push(code),
                    None => {
                        let code = code.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
                        examples.push(json!({ "class": &class, "member": &member, "code": code }));
                    }
                }
                in_element &= !ends_element(text);
            }
        } else if let Some([_, end]) = FENCES.iter().find(|[begin, _]| text.ends_with(begin)) {
            open = Some((String::new(), end));
        } else if comment.is_none() && !["#[", "//"].iter().any(|start| text.trim_start().starts_with(start)) {
            if let Some(name) = name_after(text, &ELEMENTS) {
                (member, in_element) = (name, true);
            } else if in_element {
                in_element = !ends_element(text);
            } else if let Some(name) = name_after(text, &["pub struct ", "impl "]) {
                (class, member) = (name, String::new());
            } else if let Some(name) = name_after(text, &["pub fn ", "pub ", ""]) {
                member = name;
            }
            let of_item = |code: String| json!({ "class": &class, "member": &member, "code": code });
            examples.extend(waiting.drain(..).map(of_item));
        }
    }
    examples
}

fn ends_element(line: &str) -> bool {
    ["</method>", "</member>"].iter().any(|end| line.contains(end))
}

/// Returns the name after the first of these words with which the line begins.
fn name_after(line: &str, words: &[&str]) -> Option<String> {
    let rest = words.iter().find_map(|word| line.trim_start().strip_prefix(word))?;
    let name: String = rest.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_belongs_to_the_item_after_it() {
        let source = "/// Text.\n/// ```gdscript\n/// print(1)\n///     print(2)\n/// ```\n#[derive(X)]\npub struct A {\n    \
                      /// ```gdscript\n    /// a\n    /// ```\n    // Why.\n    #[var]\n    pub b: i64,\n}\n\
                      <method name=\"c\" q>\n<description>Text.\nMore text.\n[codeblock lang=gdscript]\nx &amp;&lt;\n[/codeblock]\n\
                      Text.</description>\n</method>\n<member name=\"d\" q>Text.\nMore.\n[codeblock lang=gdscript]\ny\n\
                      [/codeblock]</member>\n";
        let expected = [
            json!({ "class": "A", "member": "", "code": "print(1)\n    print(2)\n" }),
            json!({ "class": "A", "member": "b", "code": "a\n" }),
            json!({ "class": "A", "member": "c", "code": "x &<\n" }),
            json!({ "class": "A", "member": "d", "code": "y\n" }),
        ];
        assert_eq!(in_source(source), expected);
    }
}
