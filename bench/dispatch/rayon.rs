//! Rayon's loop of two iterations is a `join`; from outside it is preceded by `install`.
#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use contender::Contender;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

#[repr(align(128))]
struct Place(AtomicU32);

/// Two halves that each wait for the other: as `meeting` in the C++ problem.
struct Meeting {
    places: [Place; 2],
    met: AtomicBool,
}

impl Meeting {
    fn arrive(&self, half: usize, round: u32) {
        self.places[half].0.store(round, Ordering::Release);
        let other = &self.places[1 - half].0;
        let mut deadline = None;
        let mut spins = 0u32;
        while other.load(Ordering::Acquire) < round {
            spins = spins.wrapping_add(1);
            if spins % 65536 == 0 && Instant::now() > *deadline.get_or_insert(Instant::now() + Duration::from_secs(2)) {
                self.met.store(false, Ordering::Relaxed);
                return;
            }
        }
    }
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(|a, b| a.partial_cmp(b).unwrap());
    seconds[seconds.len() / 2]
}

/// One loop of two halves, started as the case says.
fn run_loop(outside: Option<&rayon::ThreadPool>, body: impl Fn(usize) + Sync) {
    let both = || {
        rayon::join(|| body(0), || body(1));
    };
    match outside {
        Some(pool) => pool.install(both),
        None => both(),
    }
}

/// A body that the compiler cannot remove.
fn empty(half: usize) {
    unsafe { std::ptr::read_volatile(&half) };
}

fn empty_seconds(loops: u64, outside: Option<&rayon::ThreadPool>) -> f64 {
    const BATCH: u64 = 100;
    let one_batch = || {
        let start = Instant::now();
        (0..BATCH).for_each(|_| run_loop(outside, empty));
        start.elapsed().as_secs_f64() / BATCH as f64
    };
    median((0..loops.div_euclid(BATCH).max(1)).map(|_| one_batch()).collect())
}

fn meeting_seconds(loops: u64, outside: Option<&rayon::ThreadPool>, pause: Duration) -> (f64, bool) {
    let place = Meeting { places: [Place(AtomicU32::new(0)), Place(AtomicU32::new(0))], met: AtomicBool::new(true) };
    let mut seconds = Vec::new();
    let enough_at = Instant::now() + Duration::from_secs(5);
    for round in 1..=loops as u32 {
        if round > 100 && Instant::now() > enough_at {
            break;
        }
        if !pause.is_zero() {
            std::thread::sleep(pause);
        }
        let start = Instant::now();
        run_loop(outside, |half| place.arrive(half, round));
        seconds.push(start.elapsed().as_secs_f64());
        if !place.met.load(Ordering::Relaxed) {
            break;
        }
    }
    (median(seconds), place.met.load(Ordering::Relaxed))
}

fn measure(me: &mut Contender, kind: &str, outside: Option<&rayon::ThreadPool>) {
    empty_seconds(1000, outside);
    for _ in 0..me.repeat {
        let (seconds, correct) = match kind {
            "empty" => (empty_seconds(me.size, outside), true),
            "meet" => meeting_seconds(me.size, outside, Duration::ZERO),
            "cold" => meeting_seconds(me.size, outside, Duration::from_millis(10)),
            _ => return me.require(false, "--case must be empty, meet or cold, or one of them with -inside appended"),
        };
        me.report(seconds, correct);
    }
}

fn main() {
    let mut me = Contender::new("dispatch", 20_000, "empty");
    me.require(me.size > 0, "--size counts the loops: it must be at least 1");
    let pool = rayon_pool::pool(&me);
    let variant = me.variant.clone();
    match variant.strip_suffix("-inside") {
        Some(kind) => pool.install(|| measure(&mut me, kind, None)),
        None => measure(&mut me, &variant, Some(&pool)),
    }
    me.exit();
}
