// The six programs with Rayon.
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

// [loop]
fn add_scaled(a: f64, x: &[f64], y: &mut [f64]) {
    y.par_iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}
// [loop]

// [reduction]
fn length(v: &[f64]) -> f64 {
    v.par_iter().map(|x| x * x).sum::<f64>().sqrt()
}
// [reduction]

struct Node {
    value: i64,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

// [fork_join]
fn sum(tree: &Option<Box<Node>>) -> i64 {
    let Some(tree) = tree else { return 0 };
    let (left, right) = rayon::join(|| sum(&tree.left), || sum(&tree.right));
    tree.value + left + right
}
// [fork_join]

// [group]
fn parse_all(texts: &[&str], numbers: &mut [i32]) -> bool {
    let has_failed = AtomicBool::new(false);
    rayon::scope(|group| {
        for (text, number) in texts.iter().zip(numbers) {
            let has_failed = &has_failed;
            group.spawn(move |_| match text.parse() {
                Ok(value) => *number = value,
                Err(_) => has_failed.store(true, Ordering::Relaxed),
            });
        }
    });
    !has_failed.into_inner()
}
// [group]

// [pipeline]
fn reverse_lines(input: impl std::io::BufRead) -> Vec<String> {
    let lines: Vec<String> = input.lines().map_while(Result::ok).collect();
    lines.par_iter().map(|line| line.chars().rev().collect()).collect()
}
// [pipeline]

fn is_prime(n: i64) -> bool {
    n > 1 && (2..).take_while(|divisor| divisor * divisor <= n).all(|divisor| n % divisor != 0)
}

// [stop]
fn first_prime(of: &[i64], at_most: Duration) -> Option<i64> {
    let end = Instant::now() + at_most;
    let found = of.par_iter().find_first(|n| Instant::now() >= end || is_prime(**n));
    found.copied().filter(|n| is_prime(*n))
}
// [stop]

fn full_tree(levels: u32) -> Option<Box<Node>> {
    if levels == 0 {
        return None;
    }
    Some(Box::new(Node { value: 1, left: full_tree(levels - 1), right: full_tree(levels - 1) }))
}

fn main() {
    let (x, mut y) = (vec![2.0; 10_000], vec![1.0; 10_000]);
    add_scaled(3.0, &x, &mut y);
    assert_eq!(y, vec![7.0; 10_000]);
    assert_eq!(length(&vec![3.0; 10_000]), 300.0);
    assert_eq!(sum(&full_tree(12)), 4_095);

    let mut parsed = [0; 3];
    assert!(!parse_all(&["1", "two", "3"], &mut parsed));
    assert!(parse_all(&["4", "5", "6"], &mut parsed));
    assert_eq!(parsed, [4, 5, 6]);
    assert_eq!(reverse_lines("ab\ncd\nef\n".as_bytes()), ["ba", "dc", "fe"]);

    let mut numbers = vec![4; 100_000];
    numbers[70_000] = 1_000_003;
    numbers[90_000] = 7;
    assert_eq!(first_prime(&numbers, Duration::from_secs(3_600)), Some(1_000_003));
    assert_eq!(first_prime(&numbers, Duration::ZERO), None);
}
