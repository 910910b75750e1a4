#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;

/// Acc * factor + offset, again and again.
fn element(i: u64, factor: u64, offset: u64) -> u64 {
    (0..=i % 100).fold(i, |acc, _| acc.wrapping_mul(factor).wrapping_add(offset))
}

fn main() {
    let mut me = contender::Contender::new("sum", 1_000_000, "");
    let pool = rayon_pool::pool(&me);
    let count = me.size;
    let (factor, offset) = unsafe { std::ptr::read_volatile(&(31, 7)) }; // not constants, as in problem.hpp
    let element = |i| element(i, factor, offset);
    let expected = (0..count).map(element).fold(0, u64::wrapping_add);
    me.measure(|| pool.install(|| (0..count).into_par_iter().map(element).reduce(|| 0, u64::wrapping_add)), expected);
    me.exit();
}
