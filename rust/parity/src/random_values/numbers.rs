//! Numbers, vectors and other types of numbers.

use godot::prelude::*;
use rand::RngExt;
use rand::seq::IndexedRandom;

use super::RandomValues;

const WHOLE: [i64; 11] = [
    0,
    1,
    -1,
    255,
    65536,
    i32::MAX as i64,
    i32::MAX as i64 + 1,
    i32::MIN as i64,
    i32::MIN as i64 - 1,
    i64::MAX,
    i64::MIN,
];

const DOUBLES: [f64; 12] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    f64::INFINITY,
    f64::NEG_INFINITY,
    1e300,
    1e-310,
    f32::MAX as f64,
    f32::MIN_POSITIVE as f64,
    16_777_217.0,
];

impl RandomValues {
    pub(super) fn whole(&mut self) -> i64 {
        match self.random.random_range(0..3) {
            0 => *WHOLE.choose(&mut self.random).unwrap_or(&0),
            1 => self.random.random(),
            _ => self.whole32().into(),
        }
    }

    pub(super) fn whole32(&mut self) -> i32 {
        self.random.random()
    }

    /// Can return every bit pattern. NaN with a payload is more frequent than by chance.
    pub(super) fn double(&mut self) -> f64 {
        match self.random.random_range(0..6) {
            0 => *DOUBLES.choose(&mut self.random).unwrap_or(&0.0),
            1 => f64::from_bits(self.random.random()),
            2 => f64::from_bits(self.random.random::<u64>() | 0x7FF0_0000_0000_0001),
            3 => self.real().into(),
            _ => self.random.random_range(-1000.0..1000.0),
        }
    }

    pub(super) fn real(&mut self) -> f32 {
        match self.random.random_range(0..6) {
            0 => *[0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, 1e-40].choose(&mut self.random).unwrap_or(&0.0),
            1 => f32::from_bits(self.random.random()),
            2 => f32::from_bits(self.random.random::<u32>() | 0x7F80_0001),
            _ => self.random.random_range(-1000.0..1000.0),
        }
    }

    pub(super) fn vector2(&mut self) -> Vector2 {
        Vector2 { x: self.real(), y: self.real() }
    }

    pub(super) fn vector3(&mut self) -> Vector3 {
        Vector3 { x: self.real(), y: self.real(), z: self.real() }
    }

    pub(super) fn vector4(&mut self) -> Vector4 {
        Vector4 { x: self.real(), y: self.real(), z: self.real(), w: self.real() }
    }

    pub(super) fn color(&mut self) -> Color {
        Color { r: self.real(), g: self.real(), b: self.real(), a: self.real() }
    }

    pub(super) fn quaternion(&mut self) -> Quaternion {
        Quaternion { x: self.real(), y: self.real(), z: self.real(), w: self.real() }
    }

    pub(super) fn plane(&mut self) -> Plane {
        Plane { normal: self.vector3(), d: self.real() }
    }

    pub(super) fn basis(&mut self) -> Basis {
        Basis { rows: [self.vector3(), self.vector3(), self.vector3()] }
    }

    pub(super) fn transform2d(&mut self) -> Transform2D {
        Transform2D { a: self.vector2(), b: self.vector2(), origin: self.vector2() }
    }

    pub(super) fn projection(&mut self) -> Projection {
        Projection { cols: [self.vector4(), self.vector4(), self.vector4(), self.vector4()] }
    }
}
