#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;

const MOST: u32 = 1000;

#[derive(Clone, Copy)]
struct Shape {
    width: usize,
    height: usize,
}

impl Shape {
    /// As in `problem.hpp`: the center of a pixel.
    fn point(self, x: usize, y: usize) -> (f64, f64) {
        let side = 2.5 / self.height as f64;
        let right = x as f64 + 0.5 - self.width as f64 / 2.0;
        let down = y as f64 + 0.5 - self.height as f64 / 2.0;
        (-0.75 + right * side, -down * side)
    }
}

fn escape_time((c_re, c_im): (f64, f64)) -> u32 {
    let (mut re, mut im) = (0.0, 0.0);
    for i in 0..MOST {
        let (re2, im2) = (re * re, im * im);
        if re2 + im2 > 4.0 {
            return i;
        }
        im = 2.0 * re * im + c_im;
        re = re2 - im2 + c_re;
    }
    MOST
}

/// In the main cardioid, a little smaller, or in the disc to its left.
fn surely_inside((x, y): (f64, f64)) -> bool {
    let q = (x - 0.25) * (x - 0.25) + y * y;
    q * (q + (x - 0.25)) < 0.24 * y * y || (x + 1.0) * (x + 1.0) + y * y < 0.2475 * 0.2475
}

fn is_right(shape: Shape, times: &[u32]) -> bool {
    let at = |x: usize, y: usize| times[y * shape.width + x];
    (0..shape.height).all(|y| {
        (0..shape.width).all(|x| {
            let (re, im) = shape.point(x, y);
            let inside_is_seen = !surely_inside((re, im)) || at(x, y) == MOST;
            let far_is_seen = re * re + im * im <= 4.001 || at(x, y) <= 1;
            inside_is_seen && far_is_seen && at(x, y) == at(x, shape.height - 1 - y)
        })
    })
}

fn main() {
    let mut me = contender::Contender::new("mandelbrot", 800, "");
    let pool = rayon_pool::pool(&me);
    let shape = Shape { width: me.size as usize * 3 / 2, height: me.size as usize };
    let draw_row = |(y, row): (usize, &mut [u32])| row.iter_mut().enumerate().for_each(|(x, time)| *time = escape_time(shape.point(x, y)));
    me.measure_on(
        || vec![0u32; shape.width * shape.height],
        |times| pool.install(|| times.par_chunks_mut(shape.width).enumerate().for_each(draw_row)),
        |times, _| is_right(shape, times),
    );
    me.exit();
}
