"""One HTML page of a run or of several: ratios, means, curves, memory, energy, and the losses beside the wins. It fetches nothing."""

from html import escape
from pathlib import Path

from harness import reasons, report, svg
from harness.grid import absences
from harness.report import bar_text, short
from harness.standings import ALLOWED, Standings

HERE = Path(__file__).resolve().parent
COLOURED = ("tbb", "rayon", "omp", "async", "fiber", "go", "tokio", "pstl", "gnu", "threads", "asio", "chase_lev", "mutex_deques", "work_sharing", "central_stack",
            "central_queue", "crossbeam", "mutex")


def colours():
    """Each peer has one color on the whole page."""
    names = {"filch": "--filch"} | {peer: f"--c{i % 10 + 1}" for i, peer in enumerate(COLOURED)}
    return "".join(f".bar.peer-{peer},.dot.peer-{peer}{{fill:var({name})}}.curve.peer-{peer}{{stroke:var({name})}}"
                   f".legend .peer-{peer}{{background:var({name})}}" for peer, name in names.items())


def tag(name, content, css=""):
    return f'<{name} class="{css}">{content}</{name}>' if css else f"<{name}>{content}</{name}>"


def table(heads, rows, caption=""):
    """`heads` and the cells of `rows` are HTML of th and td."""
    title = tag("caption", escape(caption)) if caption else ""
    return ('<div class="scroll"><table>' + title + tag("thead", tag("tr", "".join(heads)))
            + tag("tbody", "".join(tag("tr", "".join(cells)) for cells in rows)) + "</table></div>")


def heads_of(*names):
    return [tag("th", escape(name), f"peer-{name}" if name == "filch" else "") for name in names]


def workers_text(count):
    return "1 worker" if count == 1 else f"{count} workers"


def grade(ratio):
    return "best" if ratio <= 1 else "near" if ratio <= ALLOWED else "behind" if ratio < 2 else "far"


def means(standings):
    parts = [tag("h3", "Geometric mean over the fork-join problems"),
             tag("p", "A peer's time over filch's, of each problem at the largest size that both solve. Above 1 filch is faster.")]
    for workers in standings.worker_counts:
        rows = []
        for peer in standings.peers:
            mean, count = standings.mean_against_filch(peer, workers)
            if mean is not None and peer != "filch":
                rows.append((peer, mean, f"{short(mean)} x over {count}"))
        if rows:
            rows.sort(key=lambda row: row[1])
            parts += [tag("p", workers_text(workers), "faint"), svg.bars(rows, f"Geometric means at {workers_text(workers)}")]
    return "".join(parts)


def ratio_cell(standings, entry, peer, workers):
    ratio = standings.ratio(entry, peer, workers)
    if ratio is None:
        return tag("td", "")
    figure = standings.lines[entry][peer, 1 if peer == "serial" else workers]
    return tag("td", f'<span title="{figure.seconds:.4g} s">{short(ratio)}{figure.mark}</span>', "" if peer == "serial" else grade(ratio))


def ratios(standings):
    peers = ["serial", *standings.peers]
    parts = [tag("h3", "Time over the best peer's"),
             tag("p", "1 is the best of its line. The serial program is not in the race; empty is not measured there, and the last table says why. "
                      "An asterisk: no quiet moment was found, so the least disturbed samples were taken. A tilde: the median had not settled within 2 %.")]
    for workers in standings.worker_counts:
        rows = [[tag("td", escape(entry.title)), *(ratio_cell(standings, entry, peer, workers) for peer in peers)]
                for entry in standings.lines if standings.best(entry, workers)]
        parts.append(table(heads_of("problem", *peers), rows, workers_text(workers)))
    return "".join(parts)


def scaling(standings):
    drawn = [svg.curves(entry.title, curves, standings.worker_counts)
             for entry in standings.lines if (curves := standings.speedups(entry)) and len(standings.worker_counts) > 1]
    if not drawn:
        return ""
    legend = "".join(f'<span><i class="peer-{peer}"></i>{peer}</span>' for peer in standings.peers)
    return (tag("h3", "Scaling") + tag("p", "Times faster than the serial program, over the number of workers. Dashed: as many times as workers.")
            + tag("div", legend, "legend") + tag("div", "".join(drawn), "plots"))


def resource(standings, title, note, value, unit):
    """A table of what each contender took at the most workers; the least in each line is marked."""
    peers, workers = standings.peers, standings.worker_counts[-1]
    rows = []
    for entry, line in standings.lines.items():
        taken = {peer: found for peer in peers if (figure := line.get((peer, workers))) and (found := value(figure)) is not None}
        if taken:
            least = min(taken.values())
            rows.append([tag("td", escape(entry.title)), *(tag("td", short(taken[peer]) if peer in taken else "",
                                                               "best" if taken.get(peer) == least else "") for peer in peers)])
    if not rows:
        return tag("h3", title) + tag("p", note) if note else ""
    return tag("h3", title) + table(heads_of("problem", *peers), rows, f"{unit}, {workers_text(workers)}")


def why_cells(place, known):
    """Two cells: why filch is behind at `place`, and what would change it."""
    why = reasons.of(place, known)
    words = (escape(why["reason"]), escape(why.get("change", ""))) if why else ("<em>No reason is known.</em>", "")
    return [tag("td", word, "words") for word in words]


WHY_HEADS = [tag("th", name, "words") for name in ("why", "what would change it")]


def losses(standings, known):
    found = standings.losses()
    won = sum(standings.ratio(entry, "filch", workers) == 1
              for entry in standings.lines for workers in standings.worker_counts if ("filch", workers) in standings.lines[entry])
    said = f"Lines of which filch is the best: {won}. Comparisons in which it is more than {ALLOWED - 1:.0%} behind a peer: {len(found)}."
    rows = [[tag("td", escape(loss.entry.title)), tag("td", escape(loss.peer)), tag("td", loss.workers), tag("td", f"{short(loss.ratio)} x"),
             *why_cells((loss.entry.problem, loss.peer, loss.entry.case), known)] for loss in sorted(found, key=lambda loss: -loss.ratio)]
    heads = heads_of("problem", "peer", "workers", "filch over peer") + WHY_HEADS
    return tag("h3", "Wins and losses") + tag("p", said) + (table(heads, rows) if rows else "")


def figure_cells(o):
    bar = bar_text(o.row) if o.row.bar else f"even at {short(o.row.lost_below)}" if o.row.lost_below is not None else ""
    return [tag("td", escape(o.row.what), "words"), tag("td", escape(bar)), tag("td", escape(f"{short(o.figure)} {o.row.unit}".strip() if o.figure is not None else o.verdict))]


def bars(outcomes, compiler, known):
    """All bars, and below them those that are missed and the comparisons without a bar that are lost, with their reasons."""
    own = [o for o in outcomes if o.compiler == compiler]
    rows = [[*figure_cells(o), tag("td", o.verdict if o.figure is not None else "", {"met": "best", "missed": "far"}.get(o.verdict, ""))] for o in own if o.row.bar is not None]
    behind = [[*figure_cells(o), *why_cells(reasons.place_of_row(o.row), known)] for o in own if o.lost]
    return ((tag("h3", "Bars") + table(heads_of("what", "bar", "figure", ""), rows) if rows else "")
            + (tag("h3", "Bars that are missed, and peers that are ahead") + table(heads_of("what", "bar", "figure") + WHY_HEADS, behind) if behind else ""))


def left_out(records, notes):
    lines = report.left_out(records, notes)
    return tag("h3", "Left out") + tag("ul", "".join(tag("li", escape(line)) for line in lines)) if lines else ""


def absent():
    rows = [[tag("td", escape(peer)), tag("td", escape(", ".join(problems)), "words"), tag("td", escape(reason), "words")]
            for peer, problems, reason in sorted(absences())]
    return (tag("h2", "Peers that are absent, and why") + tag("p", "Not listed: a peer that stands at some sizes of a problem, and could not bear the larger ones.")
            + table([tag("th", name, "words" if name != "peer" else "") for name in ("peer", "problems", "why")], rows))


def section(part, known):
    """One machine: `part` is a `merge.Part`."""
    machine = part.machine
    made = ", ".join(str(word) for word in (f"{machine['cores']} cores of {machine['processor']}", machine["system"], f"Linux {machine['kernel']}",
                                            *machine["compilers"].values(), f"commit {machine['commit'] or 'unknown'}"))
    body = [tag("h2", escape(f"{machine['processor']}, {machine['cores']} cores, {part.date}")),
            tag("p", escape(made), "faint"), tag("p", f"<code>{escape(part.command)}</code>", "faint")]
    for compiler in machine["compilers"]:
        standings = Standings(part.records, compiler)
        body.append(tag("h2", escape(f"C++ by {compiler}")))
        if standings.lines and standings.worker_counts:
            body += [means(standings), losses(standings, known), ratios(standings), scaling(standings),
                     resource(standings, "Memory", "", lambda figure: figure.kib and figure.kib / 1024, "Peak of resident memory in MiB"),
                     resource(standings, "Steals", "", lambda figure: figure.steals, "Jobs that a worker took from another, each repeat"),
                     resource(standings, "Idle share", "", lambda figure: figure.idle_share, "Share of the workers' time without a job"),
                     resource(standings, "Energy", "This machine lets nobody read the energy that it takes.", lambda figure: figure.joules, "Joules of the whole sample")]
        body.append(bars(part.outcomes, compiler, known))
    return "".join(body) + left_out(part.records, part.notes)


def html(parts):
    style = (HERE / "page.css").read_text(encoding="utf-8") + colours()
    return ('<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>filch and its peers</title><style>{style}</style></head><body><h1>filch and its peers</h1>"
            "<p>The same problems, each solved as its own authors would; every result is verified. How a figure is made stands in bench/README.md.</p>"
            + "".join(section(part, reasons.load()) for part in parts) + absent() + "</body></html>\n")
