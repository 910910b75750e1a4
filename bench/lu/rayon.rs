#[path = "../harness/contender.rs"]
mod contender;
#[path = "../matmul/matrix.rs"]
#[allow(dead_code)] // a product is taken away here, and never added
mod matrix;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use matrix::{times_vector, Block, PLAIN_SIDE};

fn subtract(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(value, taken)| *value -= factor * taken);
}

/// Takes a * b from c; the quarters of c are independent.
fn subtract_product(a: Block, b: Block, c: Block) {
    if c.rows > PLAIN_SIDE && c.rows >= c.columns {
        let ((a1, a2), (c1, c2)) = (a.halves_of_rows(), c.halves_of_rows());
        rayon::join(|| subtract_product(a1, b, c1), || subtract_product(a2, b, c2));
    } else if c.columns > PLAIN_SIDE {
        let ((b1, b2), (c1, c2)) = (b.halves_of_columns(), c.halves_of_columns());
        rayon::join(|| subtract_product(a, b1, c1), || subtract_product(a, b2, c2));
    } else {
        for i in 0..c.rows {
            let (factors, to) = unsafe { (a.row(i), c.row_mut(i)) };
            factors.iter().enumerate().for_each(|(k, &factor)| subtract(to, factor, unsafe { b.row(k) }));
        }
    }
}

/// Solves L x = b in place for every column of b: L is the triangle below the diagonal, with ones on it.
fn solve_lower(l: Block, b: Block) {
    if b.columns > PLAIN_SIDE {
        let (left, right) = b.halves_of_columns();
        rayon::join(|| solve_lower(l, left), || solve_lower(l, right));
        return;
    }
    for i in 0..b.rows {
        let (factors, row) = unsafe { (l.row(i), b.row_mut(i)) };
        factors[..i].iter().enumerate().for_each(|(k, &factor)| subtract(row, factor, unsafe { b.row(k) }));
    }
}

/// Divides `row` by `pivot[k]`, and takes from what is behind `k` so much of the pivot as makes `row[k]` zero: its place holds the factor.
fn eliminate(row: &mut [f64], pivot: &[f64], k: usize) {
    row[k] /= pivot[k];
    let factor = row[k];
    subtract(&mut row[k + 1..], factor, &pivot[k + 1..]);
}

/// Solves x U = b in place for every row of b: U is the triangle from the diagonal up.
fn solve_upper(u: Block, b: Block) {
    if b.rows > PLAIN_SIDE {
        let (upper, lower) = b.halves_of_rows();
        rayon::join(|| solve_upper(u, upper), || solve_upper(u, lower));
        return;
    }
    for i in 0..b.rows {
        let row = unsafe { b.row_mut(i) };
        (0..b.columns).for_each(|k| eliminate(row, unsafe { u.row(k) }, k));
    }
}

fn split_plainly(a: Block) {
    for k in 0..a.rows {
        (k + 1..a.rows).for_each(|i| unsafe { eliminate(a.row_mut(i), a.row(k), k) });
    }
}

fn split(a: Block) {
    if a.rows <= PLAIN_SIDE {
        return split_plainly(a);
    }
    let (upper, lower) = a.halves_of_rows();
    let ((a00, a01), (a10, a11)) = (upper.halves_of_columns(), lower.halves_of_columns());
    split(a00);
    rayon::join(|| solve_lower(a00, a01), || solve_upper(a00, a10));
    subtract_product(a10, a01, a11);
    split(a11);
}

/// As in `problem.hpp`: so much on the diagonal that no row need be exchanged.
fn input(n: usize) -> Vec<f64> {
    let mut values = matrix::input(n, 0);
    (0..n).for_each(|i| values[i * n + i] = 8.0 * n as f64);
    values
}

/// Whether the triangles in `a` multiply to what makes `expected` of a vector of ones.
fn is_right(a: &[f64], expected: &[f64]) -> bool {
    let rows = || a.chunks(expected.len()).enumerate();
    let upper: Vec<f64> = rows().map(|(i, row)| row[i..].iter().sum()).collect();
    rows().all(|(i, row)| {
        let product = upper[i] + row[..i].iter().zip(&upper).map(|(factor, sum)| factor * sum).sum::<f64>();
        (product - expected[i]).abs() <= 1e-9 * expected[i].abs()
    })
}

fn main() {
    let mut me = contender::Contender::new("lu", 1024, "");
    let pool = rayon_pool::pool(&me);
    let n = me.size as usize;
    let given = input(n);
    let expected = times_vector(&given, &vec![1.0; n]);
    me.measure_on(|| given.clone(), |a| pool.install(|| split(Block::whole_mut(a, n))), |a, _| is_right(a, &expected));
    me.exit();
}
