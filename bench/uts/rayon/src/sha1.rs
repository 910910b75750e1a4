//! What `sha1.hpp` is to the C++ contenders: one compression of a block that the caller has padded.

const START: [u32; 5] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/// FIPS 180-4, 4.1.1 and 4.2.1: the logical function of a round and its constant.
#[inline(always)]
fn mix(round: usize, b: u32, c: u32, d: u32) -> u32 {
    match round / 20 {
        0 => (d ^ (b & (c ^ d))).wrapping_add(0x5a827999),
        1 => (b ^ c ^ d).wrapping_add(0x6ed9eba1),
        2 => ((b & c) | (d & (b | c))).wrapping_add(0x8f1bbcdc),
        _ => (b ^ c ^ d).wrapping_add(0xca62c1d6),
    }
}

/// Instead of moving five variables along, the round number says which is which.
#[inline(always)]
fn round(v: &mut [u32; 5], w: &mut [u32; 16], number: usize) {
    let a = (80 - number) % 5;
    if number >= 16 {
        let x = w[(number + 13) % 16] ^ w[(number + 8) % 16] ^ w[(number + 2) % 16] ^ w[number % 16];
        w[number % 16] = x.rotate_left(1);
    }
    let mixed = mix(number, v[(a + 1) % 5], v[(a + 2) % 5], v[(a + 3) % 5]);
    v[(a + 4) % 5] = v[(a + 4) % 5].wrapping_add(v[a].rotate_left(5)).wrapping_add(mixed).wrapping_add(w[number % 16]);
    v[(a + 1) % 5] = v[(a + 1) % 5].rotate_left(30);
}

/// Twenty rounds, written out so that the numbers are known to the compiler.
macro_rules! rounds {
    ($v:expr, $w:expr, $first:expr, $($offset:expr)*) => { $(round($v, $w, $first + $offset);)* };
}

pub fn sha1_of_padded(mut block: [u32; 16]) -> [u32; 5] {
    let mut v = START;
    rounds!(&mut v, &mut block, 0, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    rounds!(&mut v, &mut block, 20, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    rounds!(&mut v, &mut block, 40, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    rounds!(&mut v, &mut block, 60, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    for (word, start) in v.iter_mut().zip(START) {
        *word = word.wrapping_add(start);
    }
    v
}
