// Where things stand on the stage. Pixels, from the width that there is.
import type { Run, Scene } from "./data";
import type { Picture } from "./replay";
import { placesByTask, Replay } from "./replay";

export interface StageLayout {
  width: number;
  height: number;
  isNarrow: boolean;
  laneTop: (worker: number) => number;
  laneHeight: number;
  /** Where hand and queue stand in a lane; if it is narrow a line of text goes below them. */
  laneMiddle: number;
  hand: { x: number; width: number };
  queue: { x: number; width: number; cell: number };
  sharedTop: number | null;
}

export interface Spot {
  x: number;
  y: number;
  width: number;
  shown: boolean;
}

const gap = 10;

/** The most tasks that wait in one queue at any time. */
export function longestQueue(run: Run): number {
  const replay = new Replay(run);
  let longest = 0;
  for (let step = 0; step <= run.steps.length; ++step) {
    for (const [place, tasks] of Object.entries(replay.at(step).places)) {
      if (/^(queue|shared)/.test(place)) longest = Math.max(longest, tasks.length);
    }
  }
  return longest;
}

export function layoutStage(width: number, workers: number, run: Run): StageLayout {
  const isNarrow = width < 600;
  const laneHeight = isNarrow ? 78 : 74;
  const hasShared = run.scheduler === "central_queue";
  const sharedHeight = hasShared ? 84 : 0;
  const handX = isNarrow ? 52 : 178;
  const handWidth = isNarrow ? 58 : 72;
  const queueX = handX + handWidth + (isNarrow ? 16 : 30);
  const queueWidth = width - queueX - 6;
  const cell = Math.min(isNarrow ? 50 : 62, Math.floor((queueWidth - 8) / Math.max(4, longestQueue(run))));
  const head = 26;
  return {
    width,
    height: head + sharedHeight + workers * (laneHeight + gap),
    isNarrow,
    laneHeight,
    laneMiddle: isNarrow ? 30 : laneHeight / 2,
    laneTop: (worker) => head + sharedHeight + worker * (laneHeight + gap),
    hand: { x: handX, width: handWidth },
    queue: { x: queueX, width: queueWidth, cell },
    sharedTop: hasShared ? head : null,
  };
}

export const chipHeight = 34;

/** Where the middle of each task is; one that is not ready waits, unseen, where its parent is. */
export function spotsOf(scene: Scene, picture: Picture, layout: StageLayout): Spot[] {
  const found = placesByTask(picture);
  const spots: Spot[] = [];
  scene.tasks.forEach((task, id) => {
    const { place, index } = found.get(id)!;
    const [kind, number] = place.split(" ");
    const worker = Number(number ?? 0);
    const middle = layout.laneTop(worker) + layout.laneMiddle;
    const hand = { x: layout.hand.x + layout.hand.width / 2, y: middle, width: layout.hand.width - 8 };
    // The oldest stands at the far end, where thieves come.
    const inQueue = layout.queue.x + layout.queue.width - 4 - (index + 0.5) * layout.queue.cell;
    if (kind === "hand") spots[id] = { ...hand, shown: true };
    else if (kind === "queue") spots[id] = { x: inQueue, y: middle, width: layout.queue.cell - 6, shown: true };
    else if (kind === "shared") spots[id] = { x: inQueue, y: layout.sharedTop! + layout.laneHeight / 2, width: layout.queue.cell - 6, shown: true };
    else if (kind === "finished") spots[id] = { ...hand, shown: false };
    else spots[id] = task.parent === null ? { ...hand, shown: false } : { ...spots[task.parent], shown: false };
  });
  return spots;
}
