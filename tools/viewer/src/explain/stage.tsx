// The workers with their queues, and the tasks that move between them.
import { useMemo, useRef } from "preact/hooks";
import { useWidth } from "../shared/size";
import type { Run, Scene, Step } from "./data";
import type { Picture } from "./replay";
import { chipHeight, layoutStage, spotsOf, type StageLayout } from "./stage-layout";
import { activityLabel, workerLabel, workerShape } from "./words";

interface Props {
  scene: Scene;
  run: Run;
  picture: Picture;
  step: Step | null;
}

export function Stage({ scene, run, picture, step }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 760);
  const layout = useMemo(() => layoutStage(width, picture.activities.length, run), [width, run]);
  const spots = spotsOf(scene, picture, layout);
  const began = useMemo(() => beginnings(run), [run]);
  const shareDone = (worker: number) => {
    const task = picture.places[`hand ${worker}`][0];
    return task === undefined ? null : (step!.clock - began.get(task)!) / scene.tasks[task].ticks;
  };
  return (
    <div class="stage" ref={box}>
      <svg width={layout.width} height={layout.height} viewBox={`0 0 ${layout.width} ${layout.height}`} role="img" aria-label={summaryOf(scene, picture)}>
        <Heading layout={layout} run={run} />
        {layout.sharedTop !== null && <SharedQueue layout={layout} top={layout.sharedTop} />}
        {picture.activities.map((_, worker) => <Lane key={worker} {...{ worker, layout, picture, step }} done={shareDone(worker)} />)}
        {scene.tasks.map((task, id) => {
          const { x, y, width: chip, shown } = spots[id];
          const inHand = picture.activities.findIndex((_, worker) => picture.places[`hand ${worker}`][0] === id);
          return (
            <g key={`${scene.id} ${id}`} class="chip" data-task={id} data-shown={shown} data-hand={inHand >= 0 ? inHand + 1 : undefined}
               style={{ transform: `translate(${x}px, ${y}px)`, opacity: shown ? 1 : 0 }}>
              <rect x={-chip / 2} y={-chipHeight / 2} width={chip} height={chipHeight} rx="8" />
              <text y="5" text-anchor="middle" class={task.name.length > 3 && chip < 44 ? "tight" : ""}>{task.name}</text>
            </g>
          );
        })}
        {step && step.other !== null && /^(steal|give|wake$)/.test(step.action) && <Reach {...{ step, layout }} />}
      </svg>
      <Twin scene={scene} picture={picture} />
    </div>
  );
}

function Heading({ layout, run }: { layout: StageLayout; run: Run }) {
  const isDeque = /steal/.test(run.scheduler);
  const right = layout.queue.x + layout.queue.width;
  return (
    <g class="heading">
      {!layout.isNarrow && <text x={layout.hand.x + layout.hand.width / 2} y="14" text-anchor="middle">runs</text>}
      <text x={layout.queue.x} y="14">{isDeque ? "owner’s end" : "newest"}</text>
      <text x={right} y="14" text-anchor="end">{isDeque ? "thieves’ end" : "oldest, next"}</text>
    </g>
  );
}

function SharedQueue({ layout, top }: { layout: StageLayout; top: number }) {
  return (
    <g class="lane" style={{ transform: `translate(0px, ${top}px)` }}>
      <text class="name" x="6" y={layout.laneHeight / 2 - 2}>{layout.isNarrow ? "All" : "Shared queue"}</text>
      {!layout.isNarrow && <text class="does" x="6" y={layout.laneHeight / 2 + 17}>one lock for all</text>}
      <rect class="queue shared" x={layout.queue.x} y="10" width={layout.queue.width} height={layout.laneHeight - 20} rx="10" />
    </g>
  );
}

interface LaneProps {
  worker: number;
  layout: StageLayout;
  picture: Picture;
  step: Step | null;
  /** How much of the task in hand is done, if there is one. */
  done: number | null;
}

function Lane({ worker, layout, picture, step, done }: LaneProps) {
  const activity = picture.activities[worker];
  const middle = layout.laneMiddle;
  const acts = step?.worker === worker;
  const hasQueue = layout.sharedTop === null;
  return (
    <g class="lane" data-acts={acts} data-activity={activity} style={{ transform: `translate(0px, ${layout.laneTop(worker)}px)` }}>
      <rect class="back" x="0" y="0" width={layout.width} height={layout.laneHeight} rx="12" />
      <path class={`mark worker-${worker + 1}`} d={workerShape(worker)} transform={`translate(${layout.isNarrow ? 26 : 24} ${middle}) scale(11)`} />
      <text class={`number worker-${worker + 1}`} x={layout.isNarrow ? 26 : 24} y={middle + 5} text-anchor="middle">{worker + 1}</text>
      {layout.isNarrow ? (
        <text class="does" x="6" y={layout.laneHeight - 8}>{activityLabel(activity)}</text>
      ) : (
        <>
          <text class="name" x="46" y={middle - 4}>{workerLabel(worker)}</text>
          <text class="does" x="46" y={middle + 15}>{activityLabel(activity)}</text>
        </>
      )}
      <rect class="hand" x={layout.hand.x} y={middle - 22} width={layout.hand.width} height="44" rx="10" />
      {done !== null && <rect class="progress" x={layout.hand.x + 6} y={middle + 26} width={(layout.hand.width - 12) * done} height="3" rx="1.5" />}
      {hasQueue && <rect class="queue" x={layout.queue.x} y={middle - 22} width={layout.queue.width} height="44" rx="10" />}
    </g>
  );
}

/** The clock at which each task began. */
function beginnings(run: Run): Map<number, number> {
  return new Map(run.steps.filter((step) => step.move?.[3].startsWith("hand")).map((step) => [step.task!, step.clock]));
}

/** An arrow from the worker that a task is taken from, or to the worker that it is given to. */
function Reach({ step, layout }: { step: Step; layout: StageLayout }) {
  const isGift = !step.action.startsWith("steal");
  const middle = (worker: number) => layout.laneTop(worker) + layout.laneMiddle;
  const [from, to] = isGift ? [step.worker, step.other!] : [step.other!, step.worker];
  const right = layout.width - 10;
  const hand = layout.hand.x + layout.hand.width + 3;
  const start = isGift ? hand : right;
  const bend = isGift ? hand + 26 : right - 18;
  const path = `M${start} ${middle(from)} C${bend} ${middle(from)}, ${bend} ${middle(to)}, ${hand + 6} ${middle(to)}`;
  const isLost = step.action === "steal_lose";
  return (
    <g class={`reach ${step.action}`} key={`${step.clock} ${step.worker} ${step.action}`}>
      <path d={path} />
      <path class="head" d={isLost ? "M-6-6L6 6M-6 6L6-6" : "M7-6L-2 0L7 6"} transform={`translate(${hand + 8} ${middle(to)})`} />
    </g>
  );
}

function queueNames(scene: Scene, tasks: number[]): string {
  return [...tasks].reverse().map((task) => scene.tasks[task].name).join(", ") || "empty";
}

function summaryOf(scene: Scene, picture: Picture): string {
  return picture.activities.map((activity, worker) => {
    const task = picture.places[`hand ${worker}`][0];
    return `${workerLabel(worker)} ${activityLabel(activity)}${task === undefined ? "" : ` task ${scene.tasks[task].name}`}`;
  }).join("; ");
}

/** The stage as a table, for those who listen. */
function Twin({ scene, picture }: { scene: Scene; picture: Picture }) {
  return (
    <div class="only-heard">
      <table>
        <caption>The workers and their queues, youngest task first. Shared queue: {queueNames(scene, picture.places.shared)}</caption>
        <thead><tr><th scope="col">Worker</th><th scope="col">Does</th><th scope="col">Task</th><th scope="col">Queue</th></tr></thead>
        <tbody>
          {picture.activities.map((activity, worker) => (
            <tr key={worker}>
              <th scope="row">{worker + 1}</th>
              <td>{activityLabel(activity)}</td>
              <td>{queueNames(scene, picture.places[`hand ${worker}`]).replace("empty", "none")}</td>
              <td>{queueNames(scene, picture.places[`queue ${worker}`])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
