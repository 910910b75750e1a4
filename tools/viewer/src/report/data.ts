// What `filch report --html` puts into its page. tools/cli/recordings/page/json.cpp writes it.
import type { Envelope } from "../shared/data";

export const format = "filch.report";
export const version = 3;

export interface Finding {
  fault: string;
  cost: number;
  sentence: string;
  figures: { name: string; value: number; unit: string }[];
  advice: string;
  /** The use of time in which its cost lies. */
  use: string;
}

export interface Durations {
  count: number;
  total_ns: number;
  median_ns: number;
  p95_ns: number;
  longest_ns: number;
  histogram: { from_ns: number; count: number }[];
}

/** Where code lies in the program: two places may have one name. */
export interface Place {
  name: string;
  module: string;
  offset: number;
}

export interface Site extends Place {
  jobs: number;
  stolen: number;
  work_ns: number;
  attributed_idle_ns: number;
  duration: Durations;
}

/** A place that forks, and what watching found of its jobs. */
export interface WatchedSite extends Place {
  forks: number;
  work_ns: number;
  span_ns: number;
  leaves: number;
  leaf_ns: number;
  /** How many jobs took less than a nanosecond, less than 2, less than 4 and so on, those counted before left out. */
  jobs_by_log2_ns: number[];
  suggested_grain: number;
  twice_as_fast: { estimate_ns: number };
}

/** What watching found, of a recording at span level: times of the whole run. */
export interface Analysis {
  work_ns: number;
  span_ns: number;
  parallelism: number;
  burdened_parallelism: number;
  sites: WatchedSite[];
  /** For 1, 2, 4 and so on, and for the number of slots. */
  predictions: { workers: number; bound_ns: number; estimate_ns: number }[];
}

/** A node of a task graph; its successors come later in the list. */
export interface GraphNode {
  name: string;
  outcome: "none" | "ran" | "failed" | "skipped" | "cancelled";
  worker: number | null;
  ns: number;
  slack_ns: number;
  span_if_twice_as_fast_ns: number;
  successors: number[];
}

/** The longest run of a task graph. */
export interface GraphRun {
  name: string;
  begin_ns: number;
  wall_ns: number;
  work_ns: number;
  span_ns: number;
  runs: number;
  /** The list of nodes may have fewer. */
  node_count: number;
  nodes: GraphNode[];
  critical_path: number[];
}

/** `filch report --json`, as far as the page shows it. */
export interface Report {
  program: string;
  process_id: number;
  length_ns: number;
  pool: number;
  pools: number;
  verdict: { sentence: string; findings: Finding[] };
  budget: { slots: number; total_ns: number; parallelism: number; ns: Record<string, number>; share: Record<string, number> };
  sites: Site[];
  analysis: Analysis | null;
  graphs: GraphRun[];
  summary: { counts: Record<string, number>; steal_matrix: { thief: number; victim: number; count: number }[]; jobs: Durations };
  trust: { lost_records: number; workers_with_losses: number; complete_from_ns: number; observed_share: number; work_with_site_share: number; sampled_work_share: number; forks_estimated: number; fork_ns: number; reused_rings: number };
}

/** Runs of whole processes, against the best on one worker. */
export interface Sweep {
  rows: {
    workers: number;
    /** The speed-up of each run; empty if there were none. */
    speed_ups: number[];
    /** The speed-up that no schedule exceeds, and the expected one if work and span are known. */
    bound: number;
    expected: number | null;
  }[];
  /** Work and span of the whole process: what it took beyond the watched work is serial. */
  whole: { outside_ns: number; parallelism: number; burdened_parallelism: number } | null;
}

export interface WorkerText {
  index: number;
  thread_id: number;
  complete_from_ns: number;
  lost: number;
  cells: string;
  intervals: string | null;
  most_takeable: string;
  takeable: string | null;
}

export interface Data extends Envelope {
  report: Report;
  occupations: { name: string; letter?: string; meaning: string }[];
  part_ns: number;
  parts: number;
  workers: WorkerText[];
  free: { cells: string; vacancies: string | null };
  jobs: string | null;
  steals: string;
  /** The same work on one worker: how long it takes unwatched, and what watching found, if it was watched. */
  alone: { length_ns: number; work_ns: number; analysis: Analysis | null } | null;
  /** What was measured beside the recording. */
  sweep: Sweep | null;
}
