#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/tokio_runtime.rs"]
mod tokio_runtime;

use std::io::Result;
use std::process::Command;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const END_OF_HEAD: &[u8] = b"\r\n\r\n";
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 6\r\n\r\nhello\n";

/// The length of the first head in `text`.
fn head_in(text: &[u8]) -> Option<usize> {
    text.windows(END_OF_HEAD.len()).position(|part| part == END_OF_HEAD).map(|at| at + END_OF_HEAD.len())
}

async fn serve(mut socket: TcpStream) -> Result<()> {
    socket.set_nodelay(true)?;
    let mut text = Vec::with_capacity(1024);
    loop {
        while let Some(length) = head_in(&text) {
            text.drain(..length);
            socket.write_all(ANSWER).await?;
        }
        if socket.read_buf(&mut text).await? == 0 {
            return Ok(());
        }
    }
}

async fn listen(acceptor: TcpListener) {
    while let Ok((socket, _)) = acceptor.accept().await {
        tokio::spawn(serve(socket));
    }
}

/// Processor time of this process, in seconds.
fn own_cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

fn said_by_wrk(port: u16, connections: &str, seconds: u64) -> String {
    let url = format!("http://127.0.0.1:{}/hello", port);
    let seconds = seconds.to_string();
    let asked = Command::new("wrk").args(["--threads", "1", "--connections", connections, "--duration", &seconds, &url]).output();
    asked.map(|done| String::from_utf8_lossy(&done.stdout).into_owned()).unwrap_or_default()
}

/// How many requests were answered, all of them as they should be, in how many seconds.
fn load_of(said: &str) -> Option<(f64, f64)> {
    if said.contains("Socket errors") || said.contains("Non-2xx") {
        return None;
    }
    let (before, behind) = said.split_once(" requests in ")?;
    let requests = before.rsplit(' ').next()?.parse().ok()?;
    let seconds = behind.split('s').next()?.parse().ok()?;
    Some((requests, seconds))
}

fn main() {
    let mut me = contender::Contender::new("http", 2, "16");
    let is_number = me.variant.parse().map_or(false, |connections: u32| connections > 0 && connections <= 1000);
    me.require(is_number, "--case is a number of connections, and --size one of seconds");
    let runtime = tokio_runtime::runtime(&me);
    let acceptor = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let port = acceptor.local_addr().unwrap().port();
    runtime.spawn(listen(acceptor));
    for _ in 0..me.repeat {
        let before = own_cpu_seconds();
        let said = said_by_wrk(port, &me.variant, me.size);
        let cpu = own_cpu_seconds() - before;
        let (requests, seconds) = load_of(&said).unwrap_or((0.0, 0.0));
        let is_sound = requests > 0.0;
        if !is_sound {
            eprintln!("wrk was not served as it should be, or is not installed: {}", said);
        }
        let of_each = |value: f64| if is_sound { value / requests } else { 0.0 };
        me.report_values(&[("seconds", of_each(seconds)), ("cpu_us_a_request", of_each(cpu) * 1e6)], is_sound);
    }
    me.exit();
}
