//! How every Rayon contender gets its threads.

use crate::contender::Contender;

pub fn pool(me: &Contender) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(me.workers).build();
    pool.unwrap_or_else(|error| {
        eprintln!("{}", error);
        std::process::exit(2)
    })
}
