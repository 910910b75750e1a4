// Recordings for the tests of the report, in the text form of tools/cli/recordings/load.hpp. No clock and no luck: the same every time.
const nobody = 65535;

/** A sequence of numbers from 0 to 1 that looks random. Source: Marsaglia, "Xorshift RNGs", 2003. */
function sequence(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A number of jobs as `seen_takeable` in filch/event/record.hpp has it. */
const takeable = (jobs) => Math.floor(jobs) + 1;

/**
 * Workers that steal, work, and sleep where there is nothing; worker 0 begins, and the work tapers off towards the end.
 * Each round of a worker is five events.
 */
export function busyRun({ workers, rounds, program = "sort_everything" }) {
  const draw = sequence(42);
  const sites = ["partition(range)", "merge_halves(range)", "copy_back(range)"];
  const entries = [];
  let latest = 0;
  for (let worker = 0; worker < workers; ++worker) {
    let now = Math.floor(worker * 1500 + draw() * 4000);
    const say = (kind, doing, slot = worker, other = nobody, amount = 0, ready = "not_looked") => entries.push([now, worker, kind, doing, slot, other, amount, ready]);
    for (let round = 0; round < rounds; ++round) {
      const isLate = round / rounds > 0.75 && worker > workers / 2;
      const victim = (worker + 1 + Math.floor(draw() * (workers - 1))) % workers;
      const site = draw() < 0.6 ? 1 : draw() < 0.7 ? 2 : 3;
      say("steals_tried", "searching", worker, victim);
      now += Math.floor(150 + draw() * 400);
      say("steals_won", "searching", worker, victim, takeable(draw() ** 3 * 40));
      now += Math.floor(60 + draw() * 200);
      say("jobs_run", "working", worker, victim, site);
      now += Math.floor((site === 1 ? 30000 : 9000) * draw() ** 2 * (isLate ? 0.3 : 1)) + 900;
      say("state_changes", "searching");
      now += Math.floor(200 + draw() * 900);
      if (isLate || draw() < 0.06) {
        say("state_changes", "parked", nobody, nobody, 0, isLate ? "none" : draw() < 0.5 ? "some" : "none");
        now += Math.floor((isLate ? 50000 : 12000) * draw());
      } else if (draw() < 0.1) {
        say("run_delay_us", "searching", worker, nobody, 2);
      } else {
        say("state_changes", "waiting");
        now += Math.floor(draw() * 1500);
      }
    }
    say("state_changes", "parked", nobody, nobody, 0, "none");
    latest = Math.max(latest, now);
  }
  entries.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return {
    program, process_id: 4711, length_ns: latest + 2000,
    pools: [{ slots: workers }],
    workers: Array.from({ length: workers }, (_, index) => ({ pool: 0, index, thread_id: 4711 + index, complete_from_ns: 0, lost: 0 })),
    sites: ["", ...sites].map((name, i) => ({ address: 4096 * i, module: "app", offset: i, name })),
    entries,
  };
}

/** A job of 80 us, and within it one of 4 us, which its join takes from worker 1. */
export function nestedRun() {
  const said = [
    [10_000, "steals_won", "searching", 1], [10_000, "jobs_run", "working", 1, 1], [20_000, "joins_stalled", "waiting", 1],
    [29_000, "steals_won", "waiting", 1], [30_000, "jobs_run", "working", 1, 2], [34_000, "state_changes", "waiting"],
    [36_000, "state_changes", "working"], [90_000, "state_changes", "searching"],
  ];
  return {
    program: "nested", process_id: 4711, length_ns: 100_000,
    pools: [{ slots: 2 }],
    workers: [0, 1].map((index) => ({ pool: 0, index, thread_id: 4711 + index, complete_from_ns: 0, lost: 0 })),
    sites: ["", "outer(range)", "inner(range)"].map((name, i) => ({ address: 4096 * i, module: "app", offset: i, name })),
    entries: said.map(([at, kind, doing, other = nobody, amount = 0]) => [at, 0, kind, doing, 0, other, amount, "not_looked"]),
  };
}

/** A job of no time and one of a nanosecond, as a clock of a few nanoseconds tells them. */
export function shortestRun() {
  const job = (at, to) => [[at, 0, "steals_won", "searching", 0, 1, 0, "not_looked"], [at, 0, "jobs_run", "working", 0, 1, 1, "not_looked"], [to, 0, "state_changes", "searching", 0, nobody, 0, "not_looked"]];
  return { ...nestedRun(), program: "shortest", entries: [...job(10_000, 10_000), ...job(20_000, 20_001)] };
}

/** At job level: a job of 80 us that was taken from worker 1, and within it one of 4 us and one of 8, run in place. */
export function runInPlace() {
  const job = (at, depth, site) => [at, 0, "job_changes", "working", 0, depth, site, "not_looked"];
  return {
    ...nestedRun(), program: "in_place",
    entries: [
      [10_000, 0, "steals_won", "searching", 0, 1, 0, "not_looked"], [10_000, 0, "jobs_run", "working", 0, 1, 1, "not_looked"],
      job(20_000, 2, 2), job(24_000, 1, 1), job(40_000, 2, 2), job(48_000, 1, 1), job(90_000, 0, 0),
      [90_000, 0, "state_changes", "searching", 0, nobody, 0, "not_looked"],
    ],
  };
}

/**
 * A recording with runs of task graphs. Each graph has a name and nodes [name, ns, successors, worker], each before its successors; slack and
 * gains are computed here from the longest ways. The first graph's nodes are jobs, one after the other from `begin` on.
 */
export function graphRun(graphs, begin = 10_000) {
  const sites = [...new Set(graphs[0].nodes.map(([name]) => name))], entries = [];
  let now = begin;
  for (const [name, ns, , worker] of graphs[0].nodes) {
    entries.push([now, worker, "jobs_run", "working", worker, nobody, sites.indexOf(name) + 1, "not_looked"], [now + ns, worker, "state_changes", "searching", worker]);
    now += ns;
  }
  return {
    ...nestedRun(), program: "graphs", length_ns: now + begin, entries,
    sites: ["", ...sites].map((name, i) => ({ address: 4096 * i, module: "", offset: 0, name })),
    graphs: graphs.map(({ name, nodes }) => withLongestWays(name, nodes, begin, now - begin)),
  };
}

function spanOf(times, successors) {
  const from = times.map(() => 0);
  for (let i = times.length - 1; i >= 0; --i) from[i] = times[i] + Math.max(0, ...successors[i].map((next) => from[next]));
  return { from, span: Math.max(0, ...from) };
}

function withLongestWays(name, nodes, begin_ns, wall_ns) {
  const times = nodes.map(([, ns]) => ns), successors = nodes.map(([, , next]) => next);
  const { from, span } = spanOf(times, successors);
  const before = times.map(() => 0);
  successors.forEach((all, i) => all.forEach((next) => { before[next] = Math.max(before[next], before[i] + times[i]); }));
  return {
    name, begin_ns, wall_ns, work_ns: times.reduce((a, b) => a + b, 0), span_ns: span, runs: 3, node_count: nodes.length,
    nodes: nodes.map(([node, ns, next, worker], i) => ({
      name: node, outcome: "ran", worker, ns, slack_ns: span - before[i] - from[i],
      span_if_twice_as_fast_ns: spanOf(times.map((each, other) => (other === i ? each - Math.floor(each / 2) : each)), successors).span, successors: next,
    })),
  };
}
