// What workers and activities are called on the page.
import type { Activity } from "./data";

export const workerLabel = (worker: number) => `Worker ${worker + 1}`;

const words: Record<Activity, string> = {
  idle: "between tasks",
  running: "runs",
  searching: "looks for work",
  stealing: "reaches for a task",
  accessing: "at a queue",
  in_line: "stands in line",
  joining: "waits at the join",
  waiting: "waits",
  parked: "sleeps",
  waking: "wakes up",
};
export const activityLabel = (activity: Activity) => words[activity];

/** Each worker has a shape as well as a color. Drawn around the origin with a radius of about one. */
const shapes = [
  "M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0z",
  "M-.9-.9H.9V.9H-.9z",
  "M0-1.2L1.2 0L0 1.2L-1.2 0z",
  "M-.6-1.040L.6-1.040L1.2 0L.6 1.040L-.6 1.040L-1.2 0z",
];
export const workerShape = (worker: number) => shapes[worker % shapes.length];
