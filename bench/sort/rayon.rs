//! The cases of `problem.hpp`, by `par_sort_unstable` and `par_sort`.
#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use contender::{made_of_random, Contender, SplitMix64};
use rayon::slice::ParallelSliceMut;
use std::time::Instant;

fn nearly_sorted(count: usize) -> Vec<u64> {
    let mut values: Vec<u64> = (0..count as u64).collect();
    let mut random = SplitMix64(2);
    for _ in 0..count / 100 {
        let (one, other) = (random.next() as usize % count, random.next() as usize % count);
        values.swap(one, other);
    }
    values
}

/// A double that is known to be a number, so that it has an order.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Number(f64);
impl Eq for Number {}
impl Ord for Number {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.partial_cmp(other).unwrap()
    }
}

fn measure<T: Ord + Clone + Send>(me: &mut Contender, input: Vec<T>, stably: bool) {
    let pool = rayon_pool::pool(me);
    let mut expected = input.clone();
    expected.sort_unstable();
    for _ in 0..me.repeat {
        let mut values = input.clone();
        let start = Instant::now();
        pool.install(|| if stably { values.par_sort() } else { values.par_sort_unstable() });
        let seconds = start.elapsed().as_secs_f64();
        me.report(seconds, values == expected);
    }
}

fn main() {
    let mut me = Contender::new("sort", 10_000_000, "random");
    let count = me.size as usize;
    let name = me.variant.clone();
    let (stably, kind) = match name.strip_prefix("stable-") {
        Some(rest) => (true, rest),
        None => (false, name.as_str()),
    };
    match kind {
        "random" => measure(&mut me, made_of_random(count, |r| r), stably),
        "double" => measure(&mut me, made_of_random(count, |r| Number((r >> 11) as f64)), stably),
        "string" => measure(&mut me, made_of_random(count, |r| r.to_string()), stably),
        "few" => measure(&mut me, made_of_random(count, |r| r % 16), stably),
        "nearly" => measure(&mut me, nearly_sorted(count), stably),
        _ => me.require(false, "--case is one of random, double, string, few, nearly, or one of these after stable-"),
    }
    me.exit();
}
