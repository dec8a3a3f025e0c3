//! The plots.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::results::Results;
use crate::curve::Curve;
use crate::implementations::{Operation, names};

const COLOURS: [(&str, RGBColor); 6] = [
    (names::VARBYTES, RGBColor(0x1B, 0x6C, 0xA8)),
    (names::PEER, RGBColor(0xC0, 0x39, 0x2B)),
    (names::MESSAGE_PACK, RGBColor(0xE6, 0x9F, 0x00)),
    (names::CIBORIUM, RGBColor(0x00, 0x9E, 0x73)),
    (names::JSON, RGBColor(0x8E, 0x44, 0xAD)),
    (names::MEMCPY, RGBColor(0x55, 0x55, 0x55)),
];

const ROW: usize = 24;
const FONT: (&str, i32) = ("sans-serif", 13);

/// Draws a row per document and a point per implementation: nanoseconds per value, encoding left, decoding right.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn documents(results: &Results, path: &Path) -> Result<()> {
    let rows = results.documents.len();
    let height = u32::try_from(ROW * rows + 110)?;
    let area = SVGBackend::new(path, (1120, height)).into_drawing_area();
    area.fill(&WHITE).map_err(drawn)?;
    let (left, right) = area.split_horizontally(620);
    for (area, operation, labels) in [(left, Operation::Encode, 190), (right, Operation::Decode, 10)] {
        let title = format!("{}, nanoseconds per value", operation.name());
        let bottom = -0.5;
        #[expect(clippy::cast_precision_loss, reason = "few rows")]
        let top = rows as f64 - 0.5;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(labels)
            .build_cartesian_2d((0.05f64..2000.0).log_scale(), bottom..top)
            .map_err(drawn)?;
        let name = |row: &f64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a row, from the top")]
            let index = (top - row.round()).floor() as usize;
            results.documents.get(index).map_or_else(String::new, |document| document.name.clone())
        };
        chart
            .configure_mesh()
            .y_labels(rows + 1)
            .y_label_formatter(&|row| if labels > 50 { name(row) } else { String::new() })
            .label_style(FONT)
            .light_line_style(WHITE)
            .draw()
            .map_err(drawn)?;
        for (implementation, colour) in COLOURS {
            #[expect(clippy::cast_precision_loss, reason = "shown as a point")]
            let points = results.documents.iter().enumerate().filter_map(|(index, document)| {
                let measured = document.of(operation, implementation)?;
                Some((measured.nanoseconds / document.values as f64, (rows - 1 - index) as f64))
            });
            let drawn_points = chart.draw_series(points.map(|point| Circle::new(point, 5, colour.filled())));
            drawn_points
                .map_err(drawn)?
                .label(implementation)
                .legend(move |(x, y)| Circle::new((x + 8, y), 5, colour.filled()));
        }
        if labels <= 50 {
            let mut legend = chart.configure_series_labels();
            // A gap between documents that are copied and documents that are not.
            let legend = legend.position(SeriesLabelPosition::LowerMiddle).label_font(FONT);
            legend.background_style(WHITE.mix(0.8)).border_style(BLACK).draw().map_err(drawn)?;
        }
    }
    area.present().map_err(drawn)
}

/// Draws nanoseconds per byte over the size: horizontal if the cost is linear.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn curves(curves: &[Curve], path: &Path) -> Result<()> {
    // Checking packed numbers only reads their count.
    let curves: Vec<&Curve> = curves.iter().filter(|curve| curve.looks_at_every_byte()).collect();
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let (least, most) =
        points().fold((f64::MAX, f64::MIN), |(least, most), point| (least.min(point.1), most.max(point.1)));
    let largest = points().map(|point| point.0).fold(0.0, f64::max);
    // Leaves space for the legend below the lowest line.
    let area = SVGBackend::new(path, (900, 480)).into_drawing_area();
    area.fill(&WHITE).map_err(drawn)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("nanoseconds per byte, from 1 KB to 1 GB", ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d((700.0..largest * 1.5).log_scale(), (least * 0.05..most * 1.5).log_scale())
        .map_err(drawn)?;
    chart
        .configure_mesh()
        .x_desc("bytes")
        .y_desc("ns/byte")
        .label_style(FONT)
        .light_line_style(WHITE)
        .x_label_formatter(&|bytes| size(*bytes))
        .y_label_formatter(&|cost| format!("{cost:.3}"))
        .draw()
        .map_err(drawn)?;
    for (index, curve) in curves.into_iter().enumerate() {
        let colour = Palette99::pick(index).to_rgba();
        chart
            .draw_series(LineSeries::new(curve.points.iter().copied(), colour.stroke_width(2)).point_size(3))
            .map_err(drawn)?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    let mut legend = chart.configure_series_labels();
    let legend = legend.position(SeriesLabelPosition::LowerRight).label_font(FONT);
    legend.background_style(WHITE.mix(0.8)).border_style(BLACK).draw().map_err(drawn)?;
    area.present().map_err(drawn)
}

/// Bytes in powers of 1000.
pub(super) fn size(bytes: f64) -> String {
    match bytes {
        ..1e6 => format!("{:.0} KB", bytes / 1e3),
        ..1e9 => format!("{:.0} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

/// Converts an error of drawing, which borrows its subject.
fn drawn(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("cannot draw: {error}")
}
