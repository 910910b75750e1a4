//! The cases of `problem.hpp`, by `par_sort_unstable_by_key`.
#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use contender::{made_of_random, Contender};
use rayon::slice::ParallelSliceMut;
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Record {
    key: u32,
    payload: u32,
}

fn measure<T: Ord + Copy + Send, K: Ord>(me: &mut Contender, input: Vec<T>, key: impl Fn(&T) -> K + Sync) {
    let pool = rayon_pool::pool(me);
    let mut expected = input.clone();
    expected.sort_unstable();
    for _ in 0..me.repeat {
        let mut values = input.clone();
        let start = Instant::now();
        pool.install(|| values.par_sort_unstable_by_key(|each| key(each)));
        let seconds = start.elapsed().as_secs_f64();
        let in_order = values.windows(2).all(|pair| key(&pair[0]) <= key(&pair[1]));
        values.sort_unstable();
        me.report(seconds, in_order && values == expected);
    }
}

fn main() {
    let mut me = Contender::new("integer_sort", 10_000_000, "numbers");
    let count = me.size as usize;
    match me.variant.as_str() {
        "numbers" => measure(&mut me, made_of_random(count, |r| r), |each| *each),
        "records" => {
            let make = |r: u64| Record { key: (r >> 44) as u32, payload: r as u32 };
            measure(&mut me, made_of_random(count, make), |each| each.key)
        }
        _ => me.require(false, "--case is one of numbers, records"),
    }
    me.exit();
}
