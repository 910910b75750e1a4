#[path = "../harness/contender.rs"]
mod contender;
mod matrix;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use matrix::{add_product_plainly, input, probe, times_vector, zeroes, Block, PLAIN_SIDE};

/// As in `problem.hpp`: halves the longest side.
fn add_product(a: Block, b: Block, c: Block) {
    let (m, k, n) = (a.rows, a.columns, b.columns);
    if m.max(k).max(n) <= PLAIN_SIDE {
        return add_product_plainly(a, b, c);
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

fn main() {
    let mut me = contender::Contender::new("matmul", 1024, "");
    let pool = rayon_pool::pool(&me);
    let n = me.size as usize;
    let (a, b) = (input(n, 0), input(n, 1));
    let (x, expected) = probe(&a, &b, n);
    me.measure_on(
        || zeroes(n),
        |c| pool.install(|| add_product(Block::whole(&a, n), Block::whole(&b, n), Block::whole_mut(c, n))),
        |c, _| times_vector(c, &x) == expected,
    );
    me.exit();
}
