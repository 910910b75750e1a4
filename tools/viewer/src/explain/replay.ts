// Pictures from moves: no rule of any scheduler is known here, so the page shows what the program did and nothing else.
import type { Activity, Keyframe, Run, Step } from "./data";

export interface Picture {
  places: Record<string, number[]>;
  activities: Activity[];
}

function carry(places: Picture["places"], task: number, from: string, fromIndex: number, to: string, toIndex: number): void {
  if (places[from][fromIndex] !== task) throw new Error(`task ${task} is not at ${from} ${fromIndex}`);
  places[from].splice(fromIndex, 1);
  places[to].splice(toIndex, 0, task);
}

function forward(picture: Picture, step: Step): void {
  if (step.move) {
    const [task, from, fromIndex, to, toIndex] = step.move;
    carry(picture.places, task, from, fromIndex, to, toIndex);
  }
  for (const [worker, , after] of step.changes) picture.activities[worker] = after;
}

function back(picture: Picture, step: Step): void {
  for (const [worker, before] of [...step.changes].reverse()) picture.activities[worker] = before;
  if (step.move) {
    const [task, from, fromIndex, to, toIndex] = step.move;
    carry(picture.places, task, to, toIndex, from, fromIndex);
  }
}

export function copyOf({ places, activities }: Picture | Keyframe): Picture {
  return {
    places: Object.fromEntries(Object.entries(places).map(([name, tasks]) => [name, [...tasks]])),
    activities: [...activities],
  };
}

/** Walks from wherever it is to the step that is asked for, forwards or backwards. */
export class Replay {
  private shown: Picture;
  private done = 0;

  constructor(private run: Run) {
    this.shown = copyOf(run.keyframes[0]);
  }

  at(stepCount: number): Picture {
    while (this.done < stepCount) forward(this.shown, this.run.steps[this.done++]);
    while (this.done > stepCount) back(this.shown, this.run.steps[--this.done]);
    return copyOf(this.shown);
  }
}

/** Where each task is. */
export function placesByTask(picture: Picture): Map<number, { place: string; index: number }> {
  const found = new Map<number, { place: string; index: number }>();
  for (const [place, tasks] of Object.entries(picture.places)) tasks.forEach((task, index) => found.set(task, { place, index }));
  return found;
}

export interface Interval {
  worker: number;
  activity: Activity;
  from: number;
  to: number;
}

/** What each worker did from when to when. */
export function intervalsOf(run: Run): Interval[] {
  const intervals: Interval[] = [];
  const open: Interval[] = run.busy_ticks.map((_, worker) => ({ worker, activity: "idle", from: 0, to: 0 }));
  const close = (worker: number, clock: number) => {
    if (clock > open[worker].from) intervals.push({ ...open[worker], to: clock });
  };
  for (const step of run.steps) {
    for (const [worker, , activity] of step.changes) {
      close(worker, step.clock);
      open[worker] = { worker, activity, from: step.clock, to: 0 };
    }
  }
  open.forEach((_, worker) => close(worker, run.makespan));
  return intervals;
}
