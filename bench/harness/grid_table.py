"""The grid in Markdown: each problem's times over the best peer's, one table for each number of workers."""


def cell(standings, entry, peer, workers, short):
    ratio = standings.ratio(entry, peer, workers)
    if ratio is None:
        return ""
    figure = standings.lines[entry][peer, 1 if peer == "serial" else workers]
    text = short(ratio) + figure.mark
    return f"**{text}**" if ratio == 1 and peer != "serial" else text


def table(standings, workers, short):
    peers = ["serial", *standings.peers]
    lines = [entry for entry in standings.lines if standings.best(entry, workers)]
    seconds = {entry: standings.best(entry, workers) for entry in lines}
    rows = [[entry.title, f"{seconds[entry]:.3g}", *(cell(standings, entry, peer, workers, short) for peer in peers)] for entry in lines]
    heads = ["problem", "best, s", *peers]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---"] * len(heads), *rows])


def markdown(standings, short):
    """Empty if nothing of the grid was measured. `short` writes a number."""
    parts = [f"## The grid, C++ by {standings.compiler}: time over the best peer's"]
    for workers in standings.worker_counts:
        parts += ["1 worker:" if workers == 1 else f"{workers} workers:", table(standings, workers, short)]
    return "\n\n".join(parts) if len(parts) > 1 else ""
