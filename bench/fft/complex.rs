//! The little that the transform wants of complex numbers.

use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Default)]
pub struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Complex {
    /// The n-th root of unity to the power -k.
    pub fn root_of_unity(k: usize, n: usize) -> Self {
        let (im, re) = (-2.0 * std::f64::consts::PI * k as f64 / n as f64).sin_cos();
        Complex { re, im }
    }

    pub fn mirrored(self) -> Self {
        Complex { re: self.re, im: -self.im }
    }

    pub fn over(self, divisor: f64) -> Self {
        Complex { re: self.re / divisor, im: self.im / divisor }
    }

    pub fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}
