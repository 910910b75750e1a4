#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;

fn main() {
    let mut me = contender::Contender::new("find", 100_000_000, "end");
    let pool = rayon_pool::pool(&me);
    let count = me.size as usize;
    let place = match me.variant.as_str() {
        "front" => 100,
        "tenth" => count / 10,
        _ => count - 1,
    };
    let mut numbers = vec![1.0f32; count];
    numbers[place] = 2.0;
    me.measure(|| pool.install(|| numbers.par_iter().position_first(|x| *x == 2.0).unwrap_or(count) as u64), place as u64);
    me.exit();
}
