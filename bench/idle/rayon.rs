//! As `measure_quiet` in the C++ problem, for Rayon: processor time after the last job.
#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use contender::Contender;
use rayon::prelude::*;
use std::time::{Duration, Instant};

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

/// As in threads.hpp: the clock's number is made of the thread's id.
fn thread_cpu_seconds(thread_id: i32) -> f64 {
    let mut used = Timespec { seconds: 0, nanoseconds: 0 };
    if unsafe { clock_gettime((!thread_id << 3) | 6, &mut used) } != 0 {
        return 0.0; // the thread has just ended
    }
    used.seconds as f64 + 1e-9 * used.nanoseconds as f64
}

/// Of all threads but the main one, which measures.
fn other_threads() -> f64 {
    let main_id = std::process::id() as i32;
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let ids = tasks.map(|entry| entry.unwrap().file_name().to_str().unwrap().parse().unwrap());
    ids.filter(|id| *id != main_id).map(thread_cpu_seconds).sum()
}

fn spin(length: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < length {}
}

fn measure_quiet(me: &mut Contender, pool: &rayon::ThreadPool) {
    pool.install(|| (0..1000).into_par_iter().for_each(|_| spin(Duration::from_micros(100))));
    let before = other_threads();
    std::thread::sleep(Duration::from_secs(me.size));
    let used = other_threads() - before;
    me.report_values(&[("cpu_ms_per_second", 1e3 * used / me.size as f64)], true);
}

fn main() {
    let mut me = Contender::new("idle", 10, "quiet");
    me.require(me.size > 0 && me.variant == "quiet", "--size counts seconds, from 1 on, and --case must be quiet");
    let pool = rayon_pool::pool(&me);
    for _ in 0..me.repeat {
        measure_quiet(&mut me, &pool);
    }
    me.exit();
}
