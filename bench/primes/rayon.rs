#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;

fn is_prime(number: u32) -> bool {
    if number < 4 {
        return number >= 2;
    }
    if number % 2 == 0 {
        return false;
    }
    let mut divisor = 3;
    while divisor * divisor <= number {
        if number % divisor == 0 {
            return false;
        }
        divisor += 2;
    }
    true
}

fn by_sieve(below: usize) -> u64 {
    let mut crossed = vec![false; below];
    let mut count = 0;
    for number in 2..below {
        if !crossed[number] {
            count += 1;
            (number * number..below).step_by(number).for_each(|multiple| crossed[multiple] = true);
        }
    }
    count
}

fn main() {
    let mut me = contender::Contender::new("primes", 5_000_000, "");
    let pool = rayon_pool::pool(&me);
    me.require(me.size <= 1 << 30, "--size is too large");
    let below = me.size as u32;
    me.measure(|| pool.install(|| (0..below).into_par_iter().filter(|&number| is_prime(number)).count() as u64), by_sieve(below as usize));
    me.exit();
}
