#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

const PLAIN_ROWS: usize = 16;
const FLOW: f64 = 0.2;
const STEPS: i32 = 20;

/// One step of the rows from `first` on, which are `to`; the rows are halved as in `problem.hpp`.
fn step(from: &[f64], to: &mut [f64], side: usize, first: usize) {
    let rows = to.len() / side;
    if rows > PLAIN_ROWS {
        let (upper, lower) = to.split_at_mut(rows / 2 * side);
        rayon::join(|| step(from, upper, side, first), || step(from, lower, side, first + rows / 2));
        return;
    }
    for (i, next) in to.chunks_mut(side).enumerate() {
        let row = |i: usize| &from[i * side..(i + 1) * side];
        let (above, here, below) = (row(first + i - 1), row(first + i), row(first + i + 1));
        for j in 1..side - 1 {
            next[j] = here[j] + FLOW * (above[j] + below[j] + here[j - 1] + here[j + 1] - 4.0 * here[j]);
        }
    }
}

fn spread(plates: &mut (Vec<f64>, Vec<f64>), side: usize) {
    for _ in 0..STEPS {
        step(&plates.0, &mut plates.1[side..(side - 1) * side], side, 1);
        std::mem::swap(&mut plates.0, &mut plates.1);
    }
}

fn wave(i: usize, side: usize) -> f64 {
    (std::f64::consts::PI * i as f64 / (side - 1) as f64).sin()
}

fn input(side: usize) -> Vec<f64> {
    let is_rim = |i: usize| i == 0 || i == side - 1;
    let at = |i: usize, j: usize| if is_rim(i) || is_rim(j) { 0.0 } else { wave(i, side) * wave(j, side) };
    (0..side * side).map(|k| at(k / side, k % side)).collect()
}

/// Half a wave keeps its shape, and loses the same share of its height in each step.
fn is_right(result: &[f64], side: usize) -> bool {
    let half = (std::f64::consts::PI / 2.0 / (side - 1) as f64).sin();
    let height = (1.0 - 8.0 * FLOW * half * half).powi(STEPS);
    let expected = |k: usize| height * wave(k / side, side) * wave(k % side, side);
    result.iter().enumerate().all(|(k, value)| (value - expected(k)).abs() <= 1e-10)
}

fn main() {
    let mut me = contender::Contender::new("heat", 2048, "");
    me.require(me.size > 0, "--size counts the points along a side: it must be at least 1");
    let pool = rayon_pool::pool(&me);
    let side = me.size as usize + 2;
    let prepare = || (input(side), input(side));
    me.measure_on(prepare, |plates| pool.install(|| spread(plates, side)), |plates, _| is_right(&plates.0, side));
    me.exit();
}
