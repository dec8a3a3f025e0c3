//! Measures times with criterion, for `cargo benchmark`; it also runs alone as an ordinary criterion benchmark.

use criterion::Criterion;
use varbytes_benches::implementations::Prepared;
use varbytes_benches::wanted_documents;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    // One document in memory at a time.
    for document in wanted_documents() {
        let prepared = Prepared::new(document);
        let mut group = criterion.benchmark_group(document.name);
        for mut task in prepared.tasks() {
            let name = format!("{}/{}", task.operation.name(), task.implementation);
            group.bench_function(name, |bencher| bencher.iter(&mut task.run));
        }
        group.finish();
    }
    criterion.final_summary();
}
