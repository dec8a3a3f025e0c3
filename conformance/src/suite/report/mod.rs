//! The results of a check, and the forms in which they are written.

pub mod html;
mod junit;
mod markdown;
mod text;

use std::collections::BTreeMap;
use std::fmt;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::Settings;
use super::case::{Case, Direction, GENERATED, GROUPS, Suite};
use super::section::Rule;
use super::verdict::{Class, Fault, shortened};

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For a terminal
    Text,
    /// For programs, and for --baseline
    Json,
    /// For test runners
    Junit,
    /// A page for a browser
    Html,
    /// For a summary in CI
    Markdown,
}

/// The number of answers by what came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Right answers.
    pub right: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// Questions that the codec does not answer.
    pub skipped: usize,
}

impl Score {
    fn add(self, other: Self) -> Self {
        Self { right: self.right + other.right, wrong: self.wrong + other.wrong, skipped: self.skipped + other.skipped }
    }

    /// Returns the number of questions that were answered.
    #[must_use]
    pub const fn asked(self) -> usize {
        self.right + self.wrong
    }
}

/// "12/13", with the number of skipped questions, or a dash.
impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.asked(), self.skipped) {
            (0, 0) => formatter.write_str("–"),
            (0, _) => formatter.write_str("skipped"),
            (asked, 0) => write!(formatter, "{}/{asked}", self.right),
            (asked, skipped) => write!(formatter, "{}/{asked}, {skipped} skipped", self.right),
        }
    }
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The name of the case, unique in the report.
    pub id: String,
    /// What is wrong.
    pub class: Class,
    /// The vector.
    pub vector: String,
    /// What was asked.
    pub direction: Direction,
    /// The type, or the group of cases.
    pub subject: String,
    /// Whether full objects were allowed.
    pub objects: bool,
    /// The section of FORMAT.md that has the rule.
    pub section: String,
    /// The rule, if the vector is cited there.
    pub rule: Option<String>,
    /// The line that the codec got.
    pub input: String,
    /// What the engine does.
    pub expected: String,
    /// What the codec did.
    pub found: String,
    /// The first difference.
    pub difference: String,
    /// Where the right answer is from: the suite, or `varbytes` for a damaged packet.
    pub judge: String,
    /// The number of bytes before the packet was shortened.
    pub shortened_from: Option<usize>,
}

impl Finding {
    pub(super) fn new(case: &Case, fault: Fault, rule: Rule, engine: &str) -> Self {
        let Fault { class, expected, found, difference } = fault;
        Self {
            id: case.id(),
            class,
            vector: case.vector.clone(),
            direction: case.direction,
            subject: case.subject.clone(),
            objects: case.objects,
            section: rule.section,
            rule: rule.row,
            input: case.line.clone(),
            expected,
            found,
            difference,
            judge: if case.is_generated && engine != "profile" { "varbytes" } else { engine }.to_owned(),
            shortened_from: None,
        }
    }

    pub(super) fn set(&mut self, fault: Fault) {
        let Fault { class, expected, found, difference } = fault;
        (self.class, self.expected, self.found, self.difference) = (class, expected, found, difference);
    }

    /// Returns the start of the line that the codec got.
    #[must_use]
    pub fn shown_input(&self) -> String {
        let length = self.input.len();
        let shown = shortened(&self.input);
        if shown.len() < length { format!("{shown} ({length} characters)") } else { shown }
    }
}

/// A question that the codec does not answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// The name of the case.
    pub id: String,
    /// The type, or the group of cases.
    pub subject: String,
    /// The reason: a type, or what the codec says.
    pub reason: String,
}

/// The results of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of this program.
    pub version: String,
    /// The command of the codec, or the version of the engine.
    pub command: String,
    /// What was checked: `codec` or `engine`.
    pub checked: String,
    /// The suite.
    pub engine: String,
    /// Where the right answers come from.
    pub origins: Vec<String>,
    /// The seed of the damaged packets.
    pub seed: u64,
    /// How long it took.
    pub seconds: f64,
    /// Vectors that are not asked about, because the result depends on what only an engine knows or is an engine bug.
    pub left_out: usize,
    /// What else a reader must know.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The scores by subject and direction.
    pub scores: BTreeMap<String, BTreeMap<Direction, Score>>,
    /// The wrong answers, most serious first.
    pub findings: Vec<Finding>,
    /// The questions without an answer.
    pub skipped: Vec<Skipped>,
    /// The subject and name of each right case.
    #[serde(skip)]
    pub right: Vec<(String, String)>,
}

impl Report {
    pub(super) fn new(settings: &Settings, suite: &Suite) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: settings.command.clone(),
            checked: "codec".to_owned(),
            engine: settings.engine.clone(),
            origins: suite.origins.clone(),
            seed: settings.seed,
            seconds: 0.0,
            left_out: suite.left_out,
            notes: Vec::new(),
            scores: BTreeMap::new(),
            findings: Vec::new(),
            skipped: Vec::new(),
            right: Vec::new(),
        }
    }

    fn score(&mut self, case: &Case) -> &mut Score {
        self.scores.entry(case.subject.clone()).or_default().entry(case.direction).or_default()
    }

    pub(super) fn right(&mut self, case: &Case) {
        self.score(case).right += 1;
        self.right.push((case.subject.clone(), case.id()));
    }

    pub(super) fn skip(&mut self, case: &Case, reason: String) {
        self.score(case).skipped += 1;
        self.skipped.push(Skipped { id: case.id(), subject: case.subject.clone(), reason });
    }

    pub(super) fn wrong(&mut self, case: &Case, finding: Finding) {
        self.score(case).wrong += 1;
        self.findings.push(finding);
    }

    pub(super) fn sort(&mut self) {
        self.findings.sort_by_cached_key(|finding| {
            (finding.class, finding.subject == GENERATED, finding.section.clone(), finding.input.len())
        });
    }

    /// Returns the score of all cases.
    #[must_use]
    pub fn total(&self) -> Score {
        self.total_of(Direction::Decode).add(self.total_of(Direction::Encode))
    }

    /// Returns the score of all cases in one direction.
    #[must_use]
    pub fn total_of(&self, direction: Direction) -> Score {
        let scores = self.scores.values().filter_map(|scores| scores.get(&direction));
        scores.fold(Score::default(), |sum, score| sum.add(*score))
    }

    /// Returns the number of findings of each class.
    #[must_use]
    pub fn classes(&self) -> BTreeMap<Class, usize> {
        let mut classes = BTreeMap::new();
        self.findings.iter().for_each(|finding| *classes.entry(finding.class).or_default() += 1);
        classes
    }

    /// Returns the number of skipped cases by reason.
    #[must_use]
    pub fn skipped_by_reason(&self) -> BTreeMap<&str, usize> {
        let mut reasons = BTreeMap::new();
        self.skipped.iter().for_each(|skipped| *reasons.entry(&*skipped.reason).or_default() += 1);
        reasons
    }

    /// Returns the scores in the order of the types, with the groups after them: subject, decode, encode.
    #[must_use]
    pub fn rows(&self) -> Vec<(&str, Score, Score)> {
        let types = varbytes::VariantType::ALL.iter().map(|variant_type| variant_type.name());
        let subjects = types.chain(GROUPS);
        let row = |subject: &'static str| {
            let scores = self.scores.get(subject)?;
            let score = |direction| scores.get(&direction).copied().unwrap_or_default();
            Some((subject, score(Direction::Decode), score(Direction::Encode)))
        };
        subjects.filter_map(row).collect()
    }

    /// Returns the findings in groups that likely have one cause: the same class, direction, section and subject.
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<&Finding>> {
        let mut groups: Vec<Vec<&Finding>> = Vec::new();
        for finding in &self.findings {
            let alike = |group: &&mut Vec<&Finding>| {
                let first = group[0];
                (first.class, first.direction, &first.section, &first.subject)
                    == (finding.class, finding.direction, &finding.section, &finding.subject)
            };
            match groups.iter_mut().find(alike) {
                Some(group) => group.push(finding),
                None => groups.push(vec![finding]),
            }
        }
        groups
    }

    /// Returns the report in a form. `shown` is how many findings of each group are described in a text for people.
    ///
    /// # Errors
    /// If it cannot be serialized.
    pub fn to_string(&self, format: Format, shown: usize, worse: Option<&[String]>) -> Result<String> {
        Ok(match format {
            Format::Text => text::write(self, shown, worse),
            Format::Markdown => markdown::write(self, shown, worse),
            Format::Html => html::write(self, worse),
            Format::Junit => junit::write(self, worse)?,
            Format::Json => serde_json::to_string_pretty(self)? + "\n",
        })
    }

    /// Returns one sentence with the numbers.
    #[must_use]
    pub fn summary(&self) -> String {
        let Score { right, wrong, skipped } = self.total();
        let classes: Vec<String> = self.classes().iter().map(|(class, count)| format!("{count} {class}")).collect();
        let wrong =
            if wrong == 0 { "none wrong".to_owned() } else { format!("{wrong} wrong ({})", classes.join(", ")) };
        format!("{right} right, {wrong}, {skipped} skipped")
    }
}
