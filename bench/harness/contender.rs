//! What `contender.hpp` is to the C++ contenders: reads the request, times the repeats, prints one JSON line for each.

use std::time::Instant;

pub struct Contender {
    problem: &'static str,
    pub workers: usize,
    pub repeat: u32,
    pub size: u64,
    pub variant: String,
    all_correct: bool,
}

fn fail(message: &str) -> ! {
    eprintln!("{}", message);
    std::process::exit(2);
}

fn number(option: &str, text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| fail(&format!("{} wants a number, not '{}'", option, text)))
}

/// Peak resident memory of this process.
fn peak_rss_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).unwrap_or(0)
}

/// The last word of the package's name, which is that of the program.
fn peer() -> &'static str {
    env!("CARGO_PKG_NAME").rsplit('_').next().unwrap()
}

impl Contender {
    pub fn new(problem: &'static str, size: u64, variant: &str) -> Self {
        let mut me = Contender { problem, workers: 1, repeat: 1, size, variant: variant.to_string(), all_correct: true };
        let words: Vec<String> = std::env::args().skip(1).collect();
        for pair in words.chunks(2) {
            let value = pair.get(1).unwrap_or_else(|| fail(&format!("{} wants a value", pair[0])));
            match pair[0].as_str() {
                "--workers" => me.workers = number("--workers", value) as usize,
                "--repeat" => me.repeat = number("--repeat", value) as u32,
                "--size" => me.size = number("--size", value),
                "--case" => me.variant = value.clone(),
                other => fail(&format!("no option {}: there are --workers, --repeat, --size and --case", other)),
            }
        }
        me.require(me.workers > 0, "--workers must be at least 1");
        me
    }

    pub fn require(&self, holds: bool, message: &str) {
        if !holds {
            fail(&format!("bench_{}_{}: {}", self.problem, peer(), message));
        }
    }

    #[allow(dead_code)] // a problem either measures or reports by itself
    pub fn measure(&mut self, compute: impl Fn() -> u64, expected: u64) {
        self.measure_on(|| (), |_| compute(), |_, result| *result == expected);
    }

    /// As often as asked: `prepare` the input, time `compute` on it, `check` both.
    #[allow(dead_code)]
    pub fn measure_on<I, R>(&mut self, prepare: impl Fn() -> I, compute: impl Fn(&mut I) -> R, check: impl Fn(&I, &R) -> bool) {
        for _ in 0..self.repeat {
            let mut input = prepare();
            let start = Instant::now();
            let result = compute(&mut input);
            let seconds = start.elapsed().as_secs_f64();
            self.report(seconds, check(&input, &result));
        }
    }

    #[allow(dead_code)]
    pub fn report(&mut self, seconds: f64, correct: bool) {
        self.report_values(&[("seconds", seconds)], correct);
    }

    /// Prints one sample: the named values, and whether it is correct.
    pub fn report_values(&mut self, values: &[(&str, f64)], correct: bool) {
        let values: String = values.iter().map(|(name, value)| format!("\"{}\":{:e},", name, value)).collect();
        let variant = if self.variant.is_empty() { String::new() } else { format!("\"case\":\"{}\",", self.variant) };
        println!(
            "{{\"problem\":\"{}\",\"peer\":\"{}\",\"workers\":{},\"size\":{},{}{}\"correct\":{},\"peak_rss_kib\":{}}}",
            self.problem, peer(), self.workers, self.size, variant, values, correct, peak_rss_kib()
        );
        self.all_correct &= correct;
    }

    pub fn exit(&self) -> ! {
        std::process::exit(if self.all_correct { 0 } else { 1 })
    }
}

/// The numbers of `filch::base::split_mix64`: all contenders get the same input.
#[allow(dead_code)] // not every problem has random input
pub struct SplitMix64(pub u64);

#[allow(dead_code)]
impl SplitMix64 {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }
}

#[allow(dead_code)]
pub fn made_of_random<T>(count: usize, make: impl Fn(u64) -> T) -> Vec<T> {
    let mut random = SplitMix64(1);
    (0..count).map(|_| make(random.next())).collect()
}
