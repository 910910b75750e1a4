//! How every Rayon contender gets its threads.

use crate::contender::Contender;

pub fn pool(me: &Contender) -> rayon::ThreadPool {
    // A worker that waits runs what it stole on top of its stack: the usual 2 MiB do not bear UTS T3, which has 1,572 levels.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(me.workers).stack_size(64 << 20).build();
    pool.unwrap_or_else(|error| {
        eprintln!("{}", error);
        std::process::exit(2)
    })
}
