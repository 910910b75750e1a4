//! The cases of `problem.hpp` that copy odd numbers: Rayon has no scan.
#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use contender::{made_of_random, Contender};
use rayon::prelude::*;

fn main() {
    let mut me = Contender::new("scan", 10_000_000, "half");
    let count = me.size as usize;
    let odd_percent = match me.variant.as_str() {
        "tenth" => 10,
        "half" => 50,
        "all" => 100,
        _ => 0,
    };
    me.require(odd_percent > 0, "--case is tenth, half or all");
    let numbers = made_of_random(count, |drawn| drawn % 500 * 2 + u64::from((drawn >> 32) % 100 < odd_percent));
    let expected: Vec<u64> = numbers.iter().copied().filter(|each| each % 2 != 0).collect();
    let pool = rayon_pool::pool(&me);
    // Into a vector that has been written to, as the others copy: `collect` would wait for its pages.
    let prepare = || {
        let mut out = vec![1u64; count];
        out.clear();
        out
    };
    let copy_odd = |out: &mut Vec<u64>| pool.install(|| out.par_extend(numbers.par_iter().copied().filter(|each| each % 2 != 0)));
    me.measure_on(prepare, copy_odd, |out, _| *out == expected);
    me.exit();
}
