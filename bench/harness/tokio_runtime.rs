//! How every Tokio contender gets its threads.

use crate::contender::Contender;
use std::future::Future;
use std::pin::Pin;

/// What an `async` function that calls itself must return: its size would be infinite without the box.
#[allow(dead_code)] // not every problem recurs, or has one task that is all
pub type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

pub fn runtime(me: &Contender) -> tokio::runtime::Runtime {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(me.workers).enable_all().build();
    runtime.unwrap_or_else(|error| {
        eprintln!("{}", error);
        std::process::exit(2)
    })
}

/// Runs a task on the runtime's threads and waits for it: `block_on` alone would poll it on the caller's, a thread more than asked.
#[allow(dead_code)]
pub fn run<T: Send + 'static>(runtime: &tokio::runtime::Runtime, task: Boxed<T>) -> T {
    runtime.block_on(runtime.spawn(task)).unwrap()
}
