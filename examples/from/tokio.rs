// The seven programs with Tokio.
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, Mutex, Notify};
use tokio::task::JoinSet;

// [spawn]
async fn words_in(text: String) -> usize {
    text.split(' ').count()
}

async fn words_in_all(texts: Vec<String>) -> usize {
    let begun: Vec<_> = texts.into_iter().map(|t| tokio::spawn(words_in(t))).collect();
    let mut words = 0;
    for each in begun {
        words += each.await.unwrap();
    }
    words
}
// [spawn]

async fn check(value: i32) -> Result<i32, String> {
    if value < 0 { Err("below zero".into()) } else { Ok(value) }
}

// [scope]
async fn check_all(values: Vec<i32>) -> Result<i32, String> {
    let mut all = JoinSet::new();
    for value in values {
        all.spawn(check(value));
    }
    let mut sum = 0;
    while let Some(ended) = all.join_next().await {
        sum += ended.unwrap()?;
    }
    Ok(sum)
}
// [scope]

// [channel]
async fn stream() -> i64 {
    let (out, mut numbers) = mpsc::channel(8);
    tokio::spawn(async move {
        for i in 0..1_000 {
            if out.send(i).await.is_err() { return; }
        }
    });
    let mut sum = 0;
    while let Some(value) = numbers.recv().await {
        sum += value;
    }
    sum
}
// [channel]

// [select]
async fn next_event(
    messages: &mut mpsc::Receiver<String>,
    quit: &Notify,
    limit: Duration,
) -> String {
    tokio::select! {
        message = messages.recv() => message.unwrap_or("closed".into()),
        _ = quit.notified() => "quit".into(),
        _ = tokio::time::sleep(limit) => "nothing in time".into(),
    }
}
// [select]

// [mutex]
async fn deposit(balance: Arc<Mutex<i64>>, amount: i64) {
    let mut held = balance.lock().await;
    let before = *held;
    tokio::time::sleep(Duration::from_micros(100)).await;
    *held = before + amount;
}
// [mutex]

// [blocking]
async fn read_file(path: String) -> std::io::Result<Vec<u8>> {
    tokio::task::spawn_blocking(move || std::fs::read(path)).await.unwrap()
}
// [blocking]

// [compute]
async fn pi(steps: i64) -> f64 {
    let height = move |i: i64| {
        let x = (i as f64 + 0.5) / steps as f64;
        4.0 / (1.0 + x * x)
    };
    let sum = move || (0..steps).map(height).sum::<f64>();
    tokio::task::spawn_blocking(sum).await.unwrap() / steps as f64
}
// [compute]

async fn check_select() {
    let (out, mut messages) = mpsc::channel(1);
    let quit = Notify::new();
    let (soon, late) = (Duration::from_millis(1), Duration::from_secs(3_600));
    assert_eq!(next_event(&mut messages, &quit, soon).await, "nothing in time");
    out.send("hello".into()).await.unwrap();
    assert_eq!(next_event(&mut messages, &quit, late).await, "hello");
    quit.notify_one();
    assert_eq!(next_event(&mut messages, &quit, late).await, "quit");
    drop(out);
    assert_eq!(next_event(&mut messages, &quit, late).await, "closed");
}

async fn check_mutex() {
    let balance = Arc::new(Mutex::new(0));
    let mut all = JoinSet::new();
    for amount in 1..=10 {
        all.spawn(deposit(balance.clone(), amount));
    }
    while let Some(ended) = all.join_next().await {
        ended.unwrap();
    }
    assert_eq!(*balance.lock().await, 55);
}

#[tokio::main]
async fn main() {
    let texts = ["a b", "c", "d e f"].map(String::from).to_vec();
    assert_eq!(words_in_all(texts).await, 6);
    assert_eq!(check_all(vec![1, 2, 3]).await, Ok(6));
    assert_eq!(check_all(vec![4, -1, 6]).await, Err("below zero".into()));
    assert_eq!(stream().await, 499_500);
    check_select().await;
    check_mutex().await;
    let program = std::env::current_exe().unwrap().display().to_string();
    assert_eq!(&read_file(program).await.unwrap()[1..4], b"ELF");
    assert!((pi(100_000).await - std::f64::consts::PI).abs() < 1e-6);
}
