#[path = "../../../harness/contender.rs"]
mod contender;
#[path = "../../../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;

fn element(i: u64) -> u64 {
    (0..=i % 100).fold(i, |acc, _| acc.wrapping_mul(31).wrapping_add(7))
}

fn main() {
    let mut me = contender::Contender::new("sum", 1_000_000, "");
    let pool = rayon_pool::pool(&me);
    let count = me.size;
    let expected = (0..count).map(element).fold(0, u64::wrapping_add);
    me.measure(|| pool.install(|| (0..count).into_par_iter().map(element).reduce(|| 0, u64::wrapping_add)), expected);
    me.exit();
}
