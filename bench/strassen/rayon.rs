#[path = "../harness/contender.rs"]
mod contender;
#[path = "../matmul/matrix.rs"]
mod matrix;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use matrix::{add_product_plainly, input, probe, times_vector, zeroes, Block};

/// Below this the sums cost more than the eighth product.
const PLAIN_SIDE: usize = 2 * matrix::PLAIN_SIDE;

/// Row and column of a quarter, and of another with its sign: none if that is 0.
struct Term(usize, usize, usize, usize, f64);

/// As in `problem.hpp`: the factors of the seven products.
const PRODUCTS: [(Term, Term); 7] = [
    (Term(0, 0, 1, 1, 1.0), Term(0, 0, 1, 1, 1.0)),
    (Term(1, 0, 1, 1, 1.0), Term(0, 0, 0, 0, 0.0)),
    (Term(0, 0, 0, 0, 0.0), Term(0, 1, 1, 1, -1.0)),
    (Term(1, 1, 0, 0, 0.0), Term(1, 0, 0, 0, -1.0)),
    (Term(0, 0, 0, 1, 1.0), Term(1, 1, 0, 0, 0.0)),
    (Term(1, 0, 0, 0, -1.0), Term(0, 0, 0, 1, 1.0)),
    (Term(0, 1, 1, 1, -1.0), Term(1, 0, 1, 1, 1.0)),
];

/// With which sign each product goes into the quarters (0,0), (0,1), (1,0) and (1,1) of the result.
const SIGNS: [[f64; 7]; 4] = [
    [1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    [1.0, -1.0, 1.0, 0.0, 0.0, 1.0, 0.0],
];

fn is_fitting(mut n: usize) -> bool {
    while n > PLAIN_SIDE && n % 2 == 0 {
        n /= 2;
    }
    n > 0 && n <= PLAIN_SIDE
}

fn quarter(whole: Block, row: usize, column: usize) -> Block {
    let (upper, lower) = whole.halves_of_rows();
    let (left, right) = if row == 0 { upper } else { lower }.halves_of_columns();
    if column == 0 { left } else { right }
}

fn square(n: usize) -> Vec<f64> {
    vec![0.0; n * n]
}

fn add(to: Block, from: Block, sign: f64) {
    for i in 0..to.rows {
        let (to, from) = unsafe { (to.row_mut(i), from.row(i)) };
        to.iter_mut().zip(from).for_each(|(sum, value)| *sum += sign * value);
    }
}

/// The quarter itself, or the sum of two in `place`.
fn evaluate(whole: Block, &Term(row, column, other_row, other_column, sign): &Term, place: &mut [f64]) -> Block {
    let first = quarter(whole, row, column);
    if sign == 0.0 {
        return first;
    }
    let sum = Block::whole_mut(place, first.rows);
    add(sum, first, 1.0);
    add(sum, quarter(whole, other_row, other_column), sign);
    sum
}

/// Works out the products from `first` on, each into a matrix of its own.
fn multiply(a: Block, b: Block, results: &mut [Vec<f64>], first: usize) {
    if results.len() > 1 {
        let middle = results.len() / 2;
        let (left, right) = results.split_at_mut(middle);
        rayon::join(|| multiply(a, b, left, first), || multiply(a, b, right, first + middle));
        return;
    }
    let half = a.rows / 2;
    let (mut left, mut right, mut result) = (square(half), square(half), square(half));
    let (of_a, of_b) = &PRODUCTS[first];
    let (left, right) = (evaluate(a, of_a, &mut left), evaluate(b, of_b, &mut right));
    add_fast_product(left, right, Block::whole_mut(&mut result, half));
    results[0] = result;
}

/// Adds a * b to c.
fn add_fast_product(a: Block, b: Block, c: Block) {
    if a.rows <= PLAIN_SIDE {
        return add_product_plainly(a, b, c);
    }
    let mut results = vec![Vec::new(); PRODUCTS.len()];
    multiply(a, b, &mut results, 0);
    let sum_up = |which: usize| {
        for (result, &sign) in results.iter().zip(&SIGNS[which]) {
            if sign != 0.0 {
                add(quarter(c, which / 2, which % 2), Block::whole(result, a.rows / 2), sign);
            }
        }
    };
    rayon::join(|| rayon::join(|| sum_up(0), || sum_up(1)), || rayon::join(|| sum_up(2), || sum_up(3)));
}

fn main() {
    let mut me = contender::Contender::new("strassen", 1024, "");
    let pool = rayon_pool::pool(&me);
    let n = me.size as usize;
    me.require(is_fitting(n), "--size is the side: a power of two times at most 64");
    let (a, b) = (input(n, 0), input(n, 1));
    let (x, expected) = probe(&a, &b, n);
    me.measure_on(
        || zeroes(n),
        |c| pool.install(|| add_fast_product(Block::whole(&a, n), Block::whole(&b, n), Block::whole_mut(c, n))),
        |c, _| times_vector(c, &x) == expected,
    );
    me.exit();
}
