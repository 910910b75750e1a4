mod complex;
#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use complex::Complex;
use contender::{Contender, SplitMix64};

/// Below this many butterflies a loop is quicker than two forks.
const PLAIN_BUTTERFLIES: usize = 1024;

/// Joins the transforms of the even and the odd elements, which lie in the two halves of a result.
fn butterflies(even: &mut [Complex], odd: &mut [Complex], roots: &[Complex], stride: usize) {
    if even.len() > PLAIN_BUTTERFLIES {
        let half = even.len() / 2;
        let ((even1, even2), (odd1, odd2)) = (even.split_at_mut(half), odd.split_at_mut(half));
        rayon::join(|| butterflies(even1, odd1, roots, stride), || butterflies(even2, odd2, &roots[half * stride..], stride));
        return;
    }
    for (k, (even, odd)) in even.iter_mut().zip(odd).enumerate() {
        let turned = roots[k * stride] * *odd;
        *odd = *even - turned;
        *even = *even + turned;
    }
}

/// Transforms every `stride`-th element of `given` into `out`.
fn transform(given: &[Complex], stride: usize, out: &mut [Complex], roots: &[Complex]) {
    if out.len() == 1 {
        out[0] = given[0];
        return;
    }
    let (even, odd) = out.split_at_mut(out.len() / 2);
    rayon::join(|| transform(given, stride * 2, even, roots), || transform(&given[stride..], stride * 2, odd, roots));
    butterflies(even, odd, roots, stride);
}

/// As in `problem.hpp`: random points of the square of side 2 around the origin.
fn input(n: usize) -> Vec<Complex> {
    let mut random = SplitMix64(1);
    let mut uniform = || (random.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
    (0..n).map(|_| Complex { re: uniform(), im: uniform() }).collect()
}

/// One element of the transform.
fn by_definition(given: &[Complex], index: usize) -> Complex {
    let turned = |(j, &value): (usize, &Complex)| value * Complex::root_of_unity(index * j % given.len(), given.len());
    given.iter().enumerate().map(turned).fold(Complex::default(), |sum, each| sum + each)
}

/// Some elements are worked out by the definition, and the inverse transform must bring back all of the input.
fn is_right(given: &[Complex], out: &[Complex], roots: &[Complex]) -> bool {
    let n = given.len();
    let tolerance = 1e-9 * (n as f64).sqrt();
    let mirrored: Vec<Complex> = out.iter().map(|value| value.mirrored()).collect();
    let mut back = vec![Complex::default(); n];
    transform(&mirrored, 1, &mut back, roots);
    [0, 1, n / 3, n - 1].iter().filter(|&&i| i < n).all(|&i| (out[i] - by_definition(given, i)).abs() <= tolerance)
        && given.iter().zip(back).all(|(&value, returned)| (returned.mirrored().over(n as f64) - value).abs() <= 1e-9)
}

fn main() {
    let mut me = Contender::new("fft", 20, "");
    me.require(me.size <= 30, "--size is the binary logarithm of the number of points: at most 30");
    let pool = rayon_pool::pool(&me);
    let n = 1 << me.size;
    let given = input(n);
    let roots: Vec<Complex> = (0..n / 2).map(|k| Complex::root_of_unity(k, n)).collect();
    me.measure_on(
        || vec![Complex::default(); n],
        |out| pool.install(|| transform(&given, 1, out, &roots)),
        |out, _| pool.install(|| is_right(&given, out, &roots)),
    );
    me.exit();
}
