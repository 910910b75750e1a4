#[path = "../../../harness/contender.rs"]
mod contender;
#[path = "../../../harness/rayon_pool.rs"]
mod rayon_pool;

use contender::{Contender, SplitMix64};

const PLAIN_SIDE: usize = 32;

/// A block of a matrix in row order. Blocks of the output that are written at the same time share no element.
#[derive(Clone, Copy)]
struct Block {
    data: *mut f64,
    rows: usize,
    columns: usize,
    stride: usize,
}

unsafe impl Send for Block {}
unsafe impl Sync for Block {}

impl Block {
    fn whole(values: &[f64], n: usize) -> Self {
        Block { data: values.as_ptr() as *mut f64, rows: n, columns: n, stride: n }
    }
    unsafe fn row<'a>(self, i: usize) -> &'a mut [f64] {
        std::slice::from_raw_parts_mut(self.data.add(i * self.stride), self.columns)
    }
    fn halves_of_rows(self) -> (Self, Self) {
        let half = self.rows / 2;
        let lower = unsafe { self.data.add(half * self.stride) };
        (Block { rows: half, ..self }, Block { data: lower, rows: self.rows - half, ..self })
    }
    fn halves_of_columns(self) -> (Self, Self) {
        let half = self.columns / 2;
        let right = unsafe { self.data.add(half) };
        (Block { columns: half, ..self }, Block { data: right, columns: self.columns - half, ..self })
    }
}

unsafe fn add_product_plainly(a: Block, b: Block, c: Block) {
    for i in 0..a.rows {
        let to = c.row(i);
        for (k, factor) in a.row(i).iter().enumerate() {
            for (sum, from) in to.iter_mut().zip(b.row(k).iter()) {
                *sum += factor * from;
            }
        }
    }
}

/// As in `problem.hpp`: halves the longest side.
fn add_product(a: Block, b: Block, c: Block) {
    let (m, k, n) = (a.rows, a.columns, b.columns);
    if m.max(k).max(n) <= PLAIN_SIDE {
        return unsafe { add_product_plainly(a, b, c) };
    }
    if m >= k && m >= n {
        let ((a1, a2), (c1, c2)) = (a.halves_of_rows(), c.halves_of_rows());
        rayon::join(|| add_product(a1, b, c1), || add_product(a2, b, c2));
    } else if n >= k {
        let ((b1, b2), (c1, c2)) = (b.halves_of_columns(), c.halves_of_columns());
        rayon::join(|| add_product(a, b1, c1), || add_product(a, b2, c2));
    } else {
        let ((a1, a2), (b1, b2)) = (a.halves_of_columns(), b.halves_of_rows());
        add_product(a1, b1, c);
        add_product(a2, b2, c);
    }
}

fn input(n: usize, which: u64) -> Vec<f64> {
    let mut random = SplitMix64(2 + which);
    (0..n * n).map(|_| (random.next() % 9) as f64 - 4.0).collect()
}

fn times_vector(a: &[f64], x: &[f64]) -> Vec<f64> {
    a.chunks(x.len()).map(|row| row.iter().zip(x).map(|(value, factor)| value * factor).sum()).collect()
}

fn main() {
    let mut me = Contender::new("matmul", 1024, "");
    let pool = rayon_pool::pool(&me);
    let n = me.size as usize;
    let (a, b) = (input(n, 0), input(n, 1));
    let mut random = SplitMix64(1 ^ 0x5eed);
    let x: Vec<f64> = (0..n).map(|_| (random.next() % 65536) as f64).collect();
    let expected = times_vector(&a, &times_vector(&b, &x));
    me.measure_on(
        || vec![0.0; n * n],
        |c| pool.install(|| add_product(Block::whole(&a, n), Block::whole(&b, n), Block::whole(c, n))),
        |c, _| times_vector(c, &x) == expected,
    );
    me.exit();
}
