//! The report for test runners: a test suite for each type, a test case for each question.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};

use super::Report;

/// Writes the report. With a baseline, only what became worse fails.
pub fn write(report: &Report, worse: Option<&[String]>) -> Result<String> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    let mut add = |subject: &str, id: &str, status| match suites.get_mut(subject) {
        Some(suite) => drop(suite.add_test_case(TestCase::new(id, status))),
        None => {
            let key = report.scores.keys().find(|key| *key == subject).map_or("", String::as_str);
            suites.entry(key).or_insert_with(|| TestSuite::new(subject)).add_test_case(TestCase::new(id, status));
        }
    };
    let is_worse = |id: &String| worse.is_some_and(|worse| worse.contains(id));
    for finding in &report.findings {
        if worse.is_some() && !is_worse(&finding.id) {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("no worse than in the baseline: {}; {}", finding.class, finding.difference));
            add(&finding.subject, &finding.id, status);
            continue;
        }
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type(finding.class.to_string());
        status.set_message(finding.difference.clone());
        let rule = finding.rule.as_ref().map_or_else(String::new, |rule| format!("\nrule: {rule}"));
        status.set_description(format!(
            "input: {}\n{}: {}\n{}: {}\ndifference: {}\nFORMAT.md: {}{rule}",
            finding.shown_input(),
            finding.judge_label(),
            finding.expected,
            report.checked,
            finding.found,
            finding.difference,
            finding.section
        ));
        add(&finding.subject, &finding.id, status);
    }
    for skipped in &report.skipped {
        let mut status = if is_worse(&skipped.id) {
            TestCaseStatus::non_success(NonSuccessKind::Failure)
        } else {
            TestCaseStatus::skipped()
        };
        status.set_message(skipped.reason.clone());
        add(&skipped.subject, &skipped.id, status);
    }
    for (subject, id) in &report.right {
        add(subject, id, TestCaseStatus::success());
    }
    let mut document = Document::new(format!("varbytes-conformance {}", report.engine));
    document.set_time(Duration::from_secs_f64(report.seconds));
    document.add_test_suites(suites.into_values());
    Ok(document.to_string()?)
}
