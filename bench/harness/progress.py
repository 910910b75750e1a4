"""What a run says on standard error: lines that stay, and on a terminal what it does just now."""

import sys

FORGET = "\r\033[K"  # back to the line's start, and nothing behind it


def on_terminal():
    return sys.stderr.isatty()


def say(message):
    print(FORGET * on_terminal() + message, file=sys.stderr, flush=True)


def show(message):
    """Stands in the last line until the next message."""
    if on_terminal():
        print(f"{FORGET}{message}", end="", file=sys.stderr, flush=True)
