// All schedulers on the same tasks and the same clock; also the place to choose one.
import { useMemo, useRef } from "preact/hooks";
import { useWidth } from "../shared/size";
import type { Run, Scene } from "./data";
import { intervalsOf } from "./replay";

interface Props {
  scene: Scene;
  chosen: number;
  clock: number;
  choose: (run: number) => void;
}

const rowHeight = 7;

export function Race({ scene, chosen, clock, choose }: Props) {
  const longest = Math.max(...scene.runs.map((run) => run.makespan));
  const best = Math.min(...scene.runs.map((run) => run.makespan));
  return (
    <fieldset class="race">
      <legend><h2>Side by side, on the same clock</h2></legend>
      <p class="soft">Same tasks, {scene.work} ticks of work, {scene.span} on the longest path. Choose one to watch it.</p>
      {scene.runs.map((run, index) => (
        <label key={run.scheduler} class="racer" data-chosen={index === chosen}>
          <input type="radio" name="scheduler" checked={index === chosen} onChange={() => choose(index)} />
          <span class="name">{run.title}</span>
          <span class="figures">
            <strong>{run.makespan}</strong> ticks{run.makespan === best && <span class="best"> first</span>}
            <span class="soft"> · {Math.round(100 * run.idle_share)} % idle</span>
          </span>
          <Strip run={run} longest={longest} clock={clock} />
        </label>
      ))}
      <p class="key soft" aria-hidden="true"><span><i class="swatch full" />runs a task</span><span><i class="swatch half" />steals, hands over, stands in line</span><span><i class="swatch none" />idle</span></p>
    </fieldset>
  );
}

/** What each of the workers did, until now in full color and from now on pale. */
function Strip({ run, longest, clock }: { run: Run; longest: number; clock: number }) {
  const box = useRef<HTMLSpanElement>(null);
  const width = useWidth(box, 400);
  const intervals = useMemo(() => intervalsOf(run), [run]);
  const x = (ticks: number) => (ticks * (width - 4)) / longest;
  const height = run.busy_ticks.length * rowHeight;
  const end = x(run.makespan);
  return (
    <span class="strip" ref={box}>
      <svg width={width} height={height + 2} aria-hidden="true">
        {intervals.filter(({ activity }) => !/idle|waiting|parked|joining|searching/.test(activity)).map(({ worker, activity, from, to }) => {
          const isTask = activity === "running";
          const shape = { y: worker * rowHeight + (isTask ? 1 : 3), height: isTask ? rowHeight - 1.5 : 2 };
          const name = isTask ? `worker-${worker + 1}` : "trouble";
          const now = Math.min(Math.max(clock, from), to);
          return (
            <>
              <rect class={`bar ahead ${name}`} x={x(from)} width={Math.max(x(to) - x(from) - 1, 0.5)} {...shape} />
              {now > from && <rect class={`bar ${name}`} x={x(from)} width={Math.max(x(now) - x(from) - 1, 0.5)} {...shape} />}
            </>
          );
        })}
        <path class="finish" d={`M${end + 1} 0V${height + 2}`} />
        <path class="now" d={`M${x(Math.min(clock, longest))} 0V${height + 2}`} />
      </svg>
    </span>
  );
}
