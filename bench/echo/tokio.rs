#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/tokio_runtime.rs"]
mod tokio_runtime;

use std::io::Result;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const MESSAGE_BYTES: usize = 64;

async fn send_back(mut socket: TcpStream) {
    let mut data = [0u8; MESSAGE_BYTES];
    while socket.read_exact(&mut data).await.is_ok() {
        if socket.write_all(&data).await.is_err() {
            return;
        }
    }
}

async fn ask(server: SocketAddr, count: u64) -> Result<u64> {
    let mut socket = TcpStream::connect(server).await?;
    socket.set_nodelay(true)?;
    let (mut whole, mut received) = (0, [0u8; MESSAGE_BYTES]);
    for i in 0..count {
        let sent = [i as u8; MESSAGE_BYTES];
        socket.write_all(&sent).await?;
        socket.read_exact(&mut received).await?;
        whole += u64::from(sent == received);
    }
    Ok(whole)
}

async fn echo(messages: u64, connections: u64) -> Result<u64> {
    let acceptor = TcpListener::bind("127.0.0.1:0").await?;
    let server = acceptor.local_addr()?;
    let clients: Vec<_> = (0..connections).map(|_| tokio::spawn(ask(server, messages / connections))).collect();
    for _ in 0..connections {
        let (socket, _) = acceptor.accept().await?;
        socket.set_nodelay(true)?;
        tokio::spawn(send_back(socket));
    }
    let mut whole = 0;
    for each in clients {
        whole += each.await.unwrap()?;
    }
    Ok(whole)
}

fn main() {
    let mut me = contender::Contender::new("echo", 64_000, "16");
    let (messages, connections) = (me.size, me.variant.parse().unwrap_or(0));
    me.require(connections > 0 && messages % connections == 0, "--case is a number of connections, and --size a multiple of it");
    let runtime = tokio_runtime::runtime(&me);
    me.measure(|| tokio_runtime::run(&runtime, Box::pin(echo(messages, connections))).unwrap_or(0), messages);
    me.exit();
}
