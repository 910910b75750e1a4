// The story that `filch explain --json` tells. tools/cli/explain/json.cpp writes it.
import type { Envelope } from "../shared/data";

export const format = "filch.explain";
export const version = 1;

export type Activity =
  | "idle" | "running" | "searching" | "stealing" | "accessing" | "in_line" | "joining" | "waiting" | "parked" | "waking";

export interface Task {
  name: string;
  ticks: number;
  parent: number | null;
  children: number[];
  next: number | null;
}

/** Task, from where, from which index, to where, to which index. */
export type Move = [number, string, number, string, number];
/** Worker, before, after. */
export type Change = [number, Activity, Activity];

export interface Step {
  clock: number;
  worker: number;
  action: string;
  task: number | null;
  other: number | null;
  sentence: string;
  move: Move | null;
  changes: Change[];
}

export interface Keyframe {
  after: number;
  places: Record<string, number[]>;
  activities: Activity[];
}

export interface Run {
  scheduler: string;
  title: string;
  about: string;
  makespan: number;
  busy_ticks: number[];
  idle_share: number;
  steals: number;
  steps: Step[];
  keyframes: Keyframe[];
}

export interface Scene {
  id: string;
  title: string;
  about: string;
  work: number;
  span: number;
  tasks: Task[];
  runs: Run[];
}

export interface Actor {
  call: number;
  line: number;
  b: number;
  t: number;
  stores: { where: string; value: string }[];
  results: string[];
  /** What a load has read before its turn. */
  read_early: string | null;
}

export interface Moment {
  top: number;
  bottom: number;
  slots: (string | null)[];
  actors: Actor[];
}

export interface Frame {
  actor: number;
  is_store: boolean;
  is_early_load: boolean;
  call: number;
  line: number;
  sentence: string;
  after: Moment;
}

export interface Exploration {
  moments: number;
  ends: number;
  faults: number;
}

export interface Duel {
  id: string;
  title: string;
  about: string;
  calls: { name: string; lines: string[] }[][];
  beginning: Moment;
  frames: Frame[];
  fault: string;
  everything: Exploration;
  with_all_rules: Exploration;
}

export interface Story extends Envelope {
  seed: number;
  workers: number;
  scenes: Scene[];
  duels: Duel[];
}
