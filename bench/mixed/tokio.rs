//! Tokio for the timer and the echo, Rayon for the loop: two pools of as many threads each, as programs that need both have them.

#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;
#[path = "../harness/tokio_runtime.rs"]
mod tokio_runtime;

use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const MESSAGE_BYTES: usize = 64;
const PERIOD: Duration = Duration::from_millis(1);
const ITERATIONS_AT_ONCE: u64 = 200_000;

fn iterate(i: u64) -> u64 {
    (0..100).fold(i, |state, _| state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407))
}

fn us_since(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e6
}

/// Nearest rank.
fn percentile(all: &mut [f64], percent: usize) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get((percent * all.len() / 100).min(all.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

async fn tick(ended: Arc<AtomicBool>) -> Vec<f64> {
    let mut late = Vec::new();
    let mut due = Instant::now();
    while !ended.load(Ordering::Relaxed) {
        due += PERIOD;
        tokio::time::sleep_until(due.into()).await;
        late.push(us_since(due));
        due = due.max(Instant::now() - PERIOD); // what was missed is not made up for
    }
    late
}

async fn send_back(acceptor: TcpListener) {
    let (mut socket, _) = acceptor.accept().await.unwrap();
    socket.set_nodelay(true).unwrap();
    let mut data = [0u8; MESSAGE_BYTES];
    while socket.read_exact(&mut data).await.is_ok() && socket.write_all(&data).await.is_ok() {}
}

async fn ask(server: std::net::SocketAddr, ended: Arc<AtomicBool>) -> Vec<f64> {
    let mut socket = TcpStream::connect(server).await.unwrap();
    socket.set_nodelay(true).unwrap();
    let (mut round_trips, mut data) = (Vec::new(), [0u8; MESSAGE_BYTES]);
    while !ended.load(Ordering::Relaxed) {
        tokio::time::sleep(PERIOD).await;
        let begin = Instant::now();
        socket.write_all(&data).await.unwrap();
        socket.read_exact(&mut data).await.unwrap();
        round_trips.push(us_since(begin));
    }
    round_trips
}

async fn serve(ended: Arc<AtomicBool>) -> (Vec<f64>, Vec<f64>) {
    let acceptor = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = acceptor.local_addr().unwrap();
    let echo = tokio::spawn(send_back(acceptor));
    let late = tokio::spawn(tick(ended.clone()));
    let round_trips = tokio::spawn(ask(server, ended));
    let seen = (late.await.unwrap(), round_trips.await.unwrap());
    echo.await.unwrap();
    seen
}

/// What `f` returns and the processor time of this process per second meanwhile.
fn cpu_of<R>(f: impl FnOnce() -> R) -> (R, f64) {
    fn used() -> f64 {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
    }
    let (before, start) = (used(), Instant::now());
    let result = f();
    (result, (used() - before) / start.elapsed().as_secs_f64())
}

/// Iterations a second.
fn rate(pool: &rayon::ThreadPool, seconds: f64) -> f64 {
    let (start, mut iterations, mut sum) = (Instant::now(), 0, 0);
    while start.elapsed().as_secs_f64() < seconds {
        sum ^= pool.install(|| (0..ITERATIONS_AT_ONCE).into_par_iter().map(iterate).reduce(|| 0, |a, b| a ^ b));
        iterations += ITERATIONS_AT_ONCE;
    }
    std::hint::black_box(sum);
    iterations as f64 / start.elapsed().as_secs_f64()
}

fn main() {
    let mut me = contender::Contender::new("mixed", 3, "");
    let (runtime, pool, seconds) = (tokio_runtime::runtime(&me), rayon_pool::pool(&me), me.size as f64);
    let begin_services = || {
        let ended = Arc::new(AtomicBool::new(false));
        (ended.clone(), runtime.spawn(serve(ended)))
    };
    let end_services = |(ended, running): (Arc<AtomicBool>, tokio::task::JoinHandle<_>)| {
        ended.store(true, Ordering::Relaxed);
        runtime.block_on(running).unwrap()
    };
    for _ in 0..me.repeat {
        let (_, services_cpu) = cpu_of(|| {
            let services = begin_services();
            std::thread::sleep(Duration::from_secs_f64(seconds / 2.0));
            end_services(services)
        });
        let alone = rate(&pool, seconds);
        let services = begin_services();
        let beside = rate(&pool, seconds);
        let (mut late, mut round_trips) = end_services(services);
        let lost = 1.0 - beside / alone;
        let values = [
            ("timer_p50_us", percentile(&mut late, 50)),
            ("timer_p99_us", percentile(&mut late, 99)),
            ("echo_p50_us", percentile(&mut round_trips, 50)),
            ("echo_p99_us", percentile(&mut round_trips, 99)),
            ("loop_lost_percent", 100.0 * lost),
            ("loop_lost_beyond_percent", 100.0 * (lost - services_cpu / me.workers as f64)),
        ];
        let enough = (seconds * 1000.0 / 3.0) as usize; // of what there could be: waits of Tokio end with the next millisecond but one
        me.report_values(&values, late.len() >= enough && round_trips.len() >= enough);
    }
    me.exit();
}
