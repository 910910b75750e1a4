#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

const EPSILON: f64 = 1e-9;

fn integrand(x: f64) -> f64 {
    (x * x + 1.0) * x
}

fn integrate(x1: f64, y1: f64, x2: f64, y2: f64, area: f64) -> f64 {
    let half = (x2 - x1) / 2.0;
    let x0 = x1 + half;
    let y0 = integrand(x0);
    let (left, right) = ((y1 + y0) / 2.0 * half, (y0 + y2) / 2.0 * half);
    if (left + right - area).abs() < EPSILON {
        return left + right;
    }
    let (left, right) = rayon::join(|| integrate(x1, y1, x0, y0, left), || integrate(x0, y0, x2, y2, right));
    left + right
}

fn main() {
    let mut me = contender::Contender::new("integrate", 10_000, "");
    let pool = rayon_pool::pool(&me);
    let upper = me.size as f64;
    let exact = upper.powi(4) / 4.0 + upper.powi(2) / 2.0;
    me.measure_on(
        || (),
        |_| pool.install(|| integrate(0.0, integrand(0.0), upper, integrand(upper), 0.0)),
        |_, result| (result - exact).abs() <= 1e-9 * exact.max(1.0),
    );
    me.exit();
}
