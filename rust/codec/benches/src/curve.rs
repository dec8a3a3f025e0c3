//! Cost over size, from 1 KB to 1 GB: linear cost is a horizontal line of nanoseconds per byte.

use std::hint::black_box;
use std::time::{Duration, Instant};

use varbytes::Variant;

use crate::documents::{decoder, encoder, packed_float32, save};

/// Each size is this many times the one before.
const STEP: u64 = 4;

/// How long each point is measured repeatedly; the shortest time counts.
const LONG_ENOUGH: Duration = Duration::from_millis(300);

/// A document of any size.
struct Kind {
    name: &'static str,
    /// Bytes of each of its members.
    unit: u64,
    make: fn(u32) -> Variant,
}

const KINDS: [Kind; 2] =
    [Kind { name: "save", unit: 108, make: save }, Kind { name: "PackedFloat32Array", unit: 4, make: packed_float32 }];

/// One line of the plot.
#[derive(Debug)]
pub struct Curve {
    /// Document and operation.
    pub name: String,
    /// Bytes, and nanoseconds per byte.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// Whether the cost depends on the bytes, and not only on their number.
    #[must_use]
    pub fn looks_at_every_byte(&self) -> bool {
        const NOTHING: f64 = 0.001;
        self.points.iter().all(|point| point.1 > NOTHING)
    }

    /// The cost of the slowest byte divided by the cost of the fastest, for sizes from `from` on.
    #[must_use]
    pub fn spread(&self, from: f64) -> f64 {
        let costs = || self.points.iter().filter(|point| point.0 >= from).map(|point| point.1);
        costs().fold(0.0, f64::max) / costs().fold(f64::MAX, f64::min)
    }
}

/// Measures documents of 1 KB to `largest` bytes, and reports progress.
pub fn measure(largest: u64, mut progress: impl FnMut(&str)) -> Vec<Curve> {
    let mut curves = Vec::new();
    for Kind { name, unit, make } in KINDS {
        let mut lines = ["encode", "decode", "check"]
            .map(|operation| Curve { name: format!("{name}, {operation}"), points: Vec::new() });
        let mut size = 1024;
        while size <= largest {
            progress(&format!("{name} of {size} bytes"));
            let costs = costs(make(u32::try_from(size / unit).unwrap_or(u32::MAX)));
            for (line, point) in lines.iter_mut().zip(costs) {
                line.points.push(point);
            }
            size *= STEP;
        }
        curves.extend(lines);
    }
    curves
}

/// Bytes, and nanoseconds per byte for encoding, decoding and checking.
fn costs(value: Variant) -> [(f64, f64); 3] {
    let (encoder, decoder) = (encoder(), decoder());
    let bytes = encoder.encode(&value).expect("a document can be written");
    let encode = shortest(|| encoder.encode(&value).expect("written before"));
    // The largest trees take several times the memory of their bytes; two would not fit.
    drop(value);
    let decode = shortest(|| decoder.decode(&bytes).expect("what was written is read"));
    let check = shortest(|| decoder.check(&bytes).expect("what was written is read"));
    #[expect(clippy::cast_precision_loss, reason = "shown with few digits")]
    let length = bytes.len() as f64;
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    [encode, decode, check].map(|time| (length, time.as_nanos() as f64 / length))
}

fn shortest<T>(mut work: impl FnMut() -> T) -> Duration {
    let begin = Instant::now();
    let mut shortest = Duration::MAX;
    let mut count = 0;
    while count < 3 || begin.elapsed() < LONG_ENOUGH {
        let start = Instant::now();
        drop(black_box(work()));
        shortest = shortest.min(start.elapsed());
        count += 1;
    }
    shortest
}
