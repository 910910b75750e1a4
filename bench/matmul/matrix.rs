//! What `problem.hpp` is to the C++ contenders: blocks of matrices, their product, the input and what a right result does to a vector.

use crate::contender::SplitMix64;

pub const PLAIN_SIDE: usize = 32;

/// A block of a matrix in row order. Blocks that are written at the same time share no element.
#[derive(Clone, Copy)]
pub struct Block {
    data: *mut f64,
    pub rows: usize,
    pub columns: usize,
    stride: usize,
}

unsafe impl Send for Block {}
unsafe impl Sync for Block {}

impl Block {
    /// To be read only.
    pub fn whole(values: &[f64], n: usize) -> Self {
        Block { data: values.as_ptr() as *mut f64, rows: n, columns: n, stride: n }
    }

    pub fn whole_mut(values: &mut [f64], n: usize) -> Self {
        Block { data: values.as_mut_ptr(), rows: n, columns: n, stride: n }
    }

    pub unsafe fn row<'a>(self, i: usize) -> &'a [f64] {
        std::slice::from_raw_parts(self.data.add(i * self.stride), self.columns)
    }

    pub unsafe fn row_mut<'a>(self, i: usize) -> &'a mut [f64] {
        std::slice::from_raw_parts_mut(self.data.add(i * self.stride), self.columns)
    }

    pub fn halves_of_rows(self) -> (Self, Self) {
        let half = self.rows / 2;
        let lower = unsafe { self.data.add(half * self.stride) };
        (Block { rows: half, ..self }, Block { data: lower, rows: self.rows - half, ..self })
    }

    pub fn halves_of_columns(self) -> (Self, Self) {
        let half = self.columns / 2;
        let right = unsafe { self.data.add(half) };
        (Block { columns: half, ..self }, Block { data: right, columns: self.columns - half, ..self })
    }
}

/// Adds a * b to c.
pub fn add_product_plainly(a: Block, b: Block, c: Block) {
    for i in 0..a.rows {
        let (factors, to) = unsafe { (a.row(i), c.row_mut(i)) };
        for (k, factor) in factors.iter().enumerate() {
            for (sum, from) in to.iter_mut().zip(unsafe { b.row(k) }) {
                *sum += factor * from;
            }
        }
    }
}

/// A matrix whose pages are there, as in C++: for plus zeroes the system gives pages that are not touched yet.
pub fn zeroes(n: usize) -> Vec<f64> {
    vec![-0.0; n * n]
}

pub fn input(n: usize, which: u64) -> Vec<f64> {
    let mut random = SplitMix64(2 + which);
    (0..n * n).map(|_| (random.next() % 9) as f64 - 4.0).collect()
}

pub fn times_vector(a: &[f64], x: &[f64]) -> Vec<f64> {
    a.chunks(x.len()).map(|row| row.iter().zip(x).map(|(value, factor)| value * factor).sum()).collect()
}

/// A random vector, and what the product of a and b makes of it.
pub fn probe(a: &[f64], b: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut random = SplitMix64(1 ^ 0x5eed);
    let x: Vec<f64> = (0..n).map(|_| (random.next() % 65536) as f64).collect();
    let expected = times_vector(a, &times_vector(b, &x));
    (x, expected)
}
