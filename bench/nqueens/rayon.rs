#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;

const LARGEST_N: usize = 18;
/// As in `problem.hpp`: solutions for n = 0 to 18, OEIS A000170.
const PUBLISHED: [u64; LARGEST_N + 1] = [
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624,
];

#[derive(Clone, Copy)]
struct Board {
    rows: [i8; LARGEST_N],
    columns: usize,
}

impl Board {
    fn with(mut self, row: usize) -> Self {
        self.rows[self.columns] = row as i8;
        self.columns += 1;
        self
    }

    fn is_safe(&self) -> bool {
        let last = self.columns - 1;
        let row = self.rows[last];
        self.rows[..last].iter().enumerate().all(|(i, &other)| {
            let distance = (last - i) as i8;
            other != row && other != row - distance && other != row + distance
        })
    }
}

fn count(n: usize, placed: Board) -> u64 {
    if placed.columns == n {
        return 1;
    }
    (0..n).into_par_iter().map(|row| placed.with(row)).filter(Board::is_safe).map(|next| count(n, next)).sum()
}

fn main() {
    let mut me = contender::Contender::new("nqueens", 13, "");
    let n = me.size as usize;
    me.require(n <= LARGEST_N, "--size is the side of the board: at most 18");
    let pool = rayon_pool::pool(&me);
    me.measure(|| pool.install(|| count(n, Board { rows: [0; LARGEST_N], columns: 0 })), PUBLISHED[n]);
    me.exit();
}
