#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;

/// As `filch::base::split_mix64`.
fn numbers(count: usize) -> Vec<f32> {
    let mut state: u64 = 1;
    let next = || {
        state = state.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        ((z ^ (z >> 31)) % 3) as f32 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn main() {
    let mut me = contender::Contender::new("reduce", 100_000_000, "sum");
    let pool = rayon_pool::pool(&me);
    let all = numbers(me.size as usize);
    let half = all.len() / 2;
    let as_word = |sum: f32| sum as i64 as u64;
    match me.variant.as_str() {
        "sum" => {
            let expected: i64 = all.iter().map(|x| *x as i64).sum();
            me.measure(|| pool.install(|| as_word(all.par_iter().sum())), expected as u64);
        }
        "dot" => {
            let (left, right) = all.split_at(half);
            let expected: i64 = left.iter().zip(right).map(|(x, y)| (x * y) as i64).sum();
            me.measure(|| pool.install(|| as_word(left.par_iter().zip(right).map(|(x, y)| x * y).sum())), expected as u64);
        }
        "square" => {
            let all = std::sync::Mutex::new(all);
            me.measure(
                || {
                    pool.install(|| all.lock().unwrap().par_iter_mut().for_each(|x| *x *= *x));
                    0
                },
                0,
            );
            let all_squares = all.lock().unwrap().iter().all(|x| *x == 0.0 || *x == 1.0);
            me.require(all_squares, "there is a number that is no square");
        }
        _ => me.require(false, "--case is sum, dot or square"),
    }
    me.exit();
}
