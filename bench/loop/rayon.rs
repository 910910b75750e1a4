#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;
use std::cell::RefCell;

fn main() {
    let mut me = contender::Contender::new("loop", 100_000_000, "");
    let pool = rayon_pool::pool(&me);
    let add_one = |numbers: &mut Vec<u32>| pool.install(|| numbers.par_iter_mut().for_each(|number| *number += 1));
    let mut numbers = vec![0u32; me.size as usize];
    add_one(&mut numbers); // brings the pages in
    let (numbers, passes) = (RefCell::new(numbers), std::cell::Cell::new(1));
    let is_right = |_: &(), _: &()| {
        passes.set(passes.get() + 1);
        numbers.borrow().iter().all(|&number| number == passes.get())
    };
    me.measure_on(|| (), |_| add_one(&mut numbers.borrow_mut()), is_right);
    me.exit();
}
