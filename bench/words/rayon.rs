#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;
use std::collections::HashMap;
use std::fs::{read_dir, File};
use std::io::Read;
use std::path::PathBuf;

const PIECE_BYTES: usize = 64 * 1024;
const PAGE_BYTES: usize = 4096;

#[derive(Default, PartialEq)]
struct Tally {
    words: HashMap<Vec<u8>, u64>,
    text_files: u64,
}

impl Tally {
    fn add(&mut self, word: &[u8], times: u64) {
        match self.words.get_mut(word) {
            Some(known) => *known += times,
            None => drop(self.words.insert(word.to_vec(), times)),
        }
    }

    /// With what another worker has counted, the smaller table added to the larger one.
    fn joined(mut self, mut other: Tally) -> Tally {
        if self.words.len() < other.words.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.text_files += other.text_files;
        other.words.iter().for_each(|(word, times)| self.add(word, *times));
        self
    }

    /// As in `problem.hpp`: a file that cannot be read, or is not text, counts as none.
    fn with_file(mut self, path: &PathBuf) -> Tally {
        let _ = self.count_file(path);
        self
    }

    fn count_file(&mut self, path: &PathBuf) -> std::io::Result<()> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len() as usize;
        let mut buffer = vec![0; PIECE_BYTES.min(length + 1)];
        let mut filled = fill(&mut file, &mut buffer)?;
        if buffer[..filled.min(PAGE_BYTES)].contains(&0) {
            return Ok(());
        }
        self.text_files += 1;
        let mut word = Vec::new();
        while filled > 0 {
            for byte in &buffer[..filled] {
                if byte.is_ascii_alphabetic() {
                    word.push(byte.to_ascii_lowercase());
                } else {
                    self.end_word(&mut word);
                }
            }
            filled = if filled < buffer.len() { 0 } else { fill(&mut file, &mut buffer).unwrap_or(0) };
        }
        self.end_word(&mut word);
        Ok(())
    }

    fn end_word(&mut self, word: &mut Vec<u8>) {
        if !word.is_empty() {
            self.add(word, 1);
        }
        word.clear();
    }
}

/// Fills the buffer as far as the file goes.
fn fill(file: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}

/// All regular files below a folder.
fn files_below(root: &str) -> std::io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::from(root)]);
    read_dir(root)?;
    while let Some(folder) = folders.pop() {
        for entry in read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                _ => {}
            }
        }
    }
    Ok(files)
}

fn main() {
    let mut me = contender::Contender::new("words", 0, "/usr/share/doc");
    let files = files_below(&me.variant).unwrap_or_default();
    me.require(!files.is_empty(), "--case is no folder with files that can be listed");
    let pool = rayon_pool::pool(&me);
    let expected = files.iter().fold(Tally::default(), Tally::with_file);
    let count = || files.par_iter().fold(Tally::default, Tally::with_file).reduce(Tally::default, Tally::joined);
    me.measure_on(|| (), |_| pool.install(count), |_, counted| *counted == expected);
    me.exit();
}
