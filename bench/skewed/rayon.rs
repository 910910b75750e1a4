#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;

/// As in `problem.hpp`: how many rounds an element takes.
fn rounds_of(variant: &str, i: usize, random: u64) -> u32 {
    match variant {
        "ramp" => (i % 100 + 1) as u32,
        "rare" => if random % 1000 == 0 { 25_000 } else { 25 },
        _ => {
            let uniform = ((random >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
            (15.0 * uniform.powf(-1.0 / 1.4)).min(1e6) as u32
        }
    }
}

fn element((i, &rounds): (usize, &u32)) -> u64 {
    (0..rounds).fold(i as u64, |acc, _| (acc ^ acc >> 29).wrapping_mul(31).wrapping_add(7))
}

fn main() {
    let mut me = contender::Contender::new("skewed", 1_000_000, "ramp");
    me.require(["ramp", "pareto", "rare"].contains(&me.variant.as_str()), "--case is ramp, pareto or rare");
    let pool = rayon_pool::pool(&me);
    let mut random = contender::SplitMix64(1);
    let rounds: Vec<u32> = (0..me.size as usize).map(|i| rounds_of(&me.variant, i, random.next())).collect();
    let expected = rounds.iter().enumerate().map(element).fold(0, u64::wrapping_add);
    me.measure(|| pool.install(|| rounds.par_iter().enumerate().map(element).reduce(|| 0, u64::wrapping_add)), expected);
    me.exit();
}
