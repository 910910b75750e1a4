// What every worker did, to be moved and magnified, and the place to choose a range of time.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../shared/keyboard";
import { useWidth } from "../shared/size";
import { useTheme } from "../shared/theme";
import type { Data } from "./data";
import { useLater } from "./later";
import { ofSteal, type Narrowing } from "./narrow";
import type { Recording } from "./recording";
import { deepestOf, layoutOf, Scene, stealAt, stealsIn } from "./scene";
import { countText, durationText, nounText, timeText, wordText } from "../shared/text";
import { limited, panned, zoomed, type View } from "./view";

interface Props {
  data: Data;
  from: Recording;
  narrowing: Narrowing;
  narrow: (to: Partial<Narrowing>) => void;
  children: ComponentChildren;
}

/** A pointer that has moved less has clicked. */
const clickPixels = 4;

export function Timeline({ data, from, narrowing, narrow, children }: Props) {
  const box = useRef<HTMLDivElement>(null), canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box, 800), theme = useTheme();
  const length = from.grid.length_ns, all: View = { begin: 0, end: length };
  const layout = useMemo(() => layoutOf(from.workers.length, deepestOf(from) > 0), [from]);
  const scene = useMemo(() => new Scene(from, layout, theme), [from, layout, theme]);
  const [view, setView] = useState(all);
  const [pointed, setPointed] = useState("");
  const shown = useRef(view);
  shown.current = view;
  const latest = useRef({ scene, narrowing });
  latest.current = { scene, narrowing };
  const frame = useRef(0);

  /** At most one picture a frame, however many reasons there are for it. */
  const redraw = () => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0;
      if (canvas.current) latest.current.scene.draw(canvas.current, shown.current, latest.current.narrowing);
    });
  };
  useLayoutEffect(() => {
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.current!.width = Math.max(1, Math.round(width * ratio));
    canvas.current!.height = Math.round(layout.height * ratio);
    latest.current.scene.draw(canvas.current!, shown.current, latest.current.narrowing);
  }, [width, layout, scene]);
  useLayoutEffect(redraw, [view, narrowing]);

  const go = (to: View) => setView((shown.current = limited(to, length)));
  const middle = () => (shown.current.begin + shown.current.end) / 2;
  const pan = (share: number) => go(panned(shown.current, share, length));
  const zoom = (factor: number, at = middle()) => go(zoomed(shown.current, factor, at, length));
  const chooseShown = () => narrow({ range: [shown.current.begin, shown.current.end] });
  const showChosen = () => go(narrowing.range ? { begin: narrowing.range[0], end: narrowing.range[1] } : all);
  useKeys({
    ArrowLeft: () => pan(-0.1), ArrowRight: () => pan(0.1), "Shift+ArrowLeft": () => pan(-0.9), "Shift+ArrowRight": () => pan(0.9),
    "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6), "0": () => go(all), Home: () => pan(-1e9), End: () => pan(1e9),
    n: chooseShown, z: showChosen,
  });

  const arrowAt = (x: number, y: number) => stealAt(from, layout, stealsIn(from, view, narrowing).arrows, (time) => ((time - view.begin) / (view.end - view.begin)) * width, x, y);
  const timeAt = (x: number) => shown.current.begin + (Math.min(Math.max(x / width, 0), 1)) * (shown.current.end - shown.current.begin);
  const laneAt = (y: number) => layout.lanes.findIndex(({ top, height }, i) => y >= top - 1 && y < top + height + 1 + layout.depths[i].height);
  const place = (event: MouseEvent) => {
    const { left, top } = canvas.current!.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  /** A new text makes its card be laid out anew, and cannot be read while it changes. */
  const settled = useLater(view);
  const inView = useMemo(() => {
    const { count, arrows } = stealsIn(from, settled, narrowing);
    const steals = count === 0 ? "" : `, ${nounText(count, "steals")}${count > arrows.length ? "; magnify to see each" : ": arrows from victim to thief"}`;
    return `${durationText(settled.end - settled.begin)} in view${steals}`;
  }, [from, settled, narrowing]);

  const drag = useRef<{ x: number; y: number; at: number; view: View; isPan: boolean } | null>(null);

  const press = (event: PointerEvent) => {
    if (event.button > 1) return;
    const { x, y } = place(event);
    canvas.current!.setPointerCapture(event.pointerId);
    drag.current = { x, y, at: timeAt(x), view: shown.current, isPan: event.button === 1 || event.shiftKey };
  };
  const move = (event: PointerEvent) => {
    const { x, y } = place(event), from = drag.current;
    if (!from) return setPointed(describe(x, y));
    if (from.isPan) go(panned(from.view, (from.x - x) / width, length));
    else if (Math.abs(x - from.x) >= clickPixels) narrow({ range: rangeOf(from.at, timeAt(x)) });
  };
  const release = (event: PointerEvent) => {
    const from = drag.current, { x } = place(event);
    drag.current = null;
    if (from && !from.isPan && Math.abs(x - from.x) < clickPixels) choose(from.x, from.y);
  };
  const rangeOf = (a: number, b: number): [number, number] => [Math.min(a, b), Math.max(a, b)];

  /** A click on an arrow chooses what that steal brought; on an interval of time that interval; where it is too narrow to hit, or on all slots, what lies in a few pixels. */
  const choose = (x: number, y: number) => {
    const steal = arrowAt(x, y), lane = laneAt(y), at = timeAt(x);
    if (steal >= 0) return narrow(ofSteal(from, steal));
    const details = lane < 0 ? null : from.workers[lane].lane.details;
    const pixel = (shown.current.end - shown.current.begin) / width;
    const index = details?.at(at) ?? 0;
    const isWide = details && details.ends[index] - details.begin(index) >= 3 * pixel;
    narrow({ range: isWide ? [details.begin(index), details.ends[index]] : rangeOf(Math.max(0, at - 4 * pixel), Math.min(length, at + 4 * pixel)) });
  };
  const turnWheel = (event: WheelEvent) => {
    event.preventDefault();
    const by = event.deltaY || event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(by / 1000);
    else zoom(Math.exp(by / 400), timeAt(place(event).x));
  };
  // Not as a property: Preact would listen passively, and the page would scroll.
  useLayoutEffect(() => {
    const element = canvas.current!;
    const listen = (event: WheelEvent) => latestWheel.current(event);
    element.addEventListener("wheel", listen, { passive: false });
    return () => element.removeEventListener("wheel", listen);
  }, []);
  const latestWheel = useRef(turnWheel);
  latestWheel.current = turnWheel;

  const describeSteal = (steal: number): string => {
    const { times, thieves, victims, sites, brought } = from.steals, job = brought[steal];
    const what = sites[steal] > 0 ? data.report.sites[sites[steal] - 1].name : "a job";
    const lasted = from.jobs && job >= 0 ? `, which took ${durationText(from.jobs.lengths[job])}` : "";
    return `${timeText(times[steal], (view.end - view.begin) / width)}: worker ${from.workers[thieves[steal]].index} took ${what} from worker ${from.workers[victims[steal]].index}${lasted}`;
  };
  const describe = (x: number, y: number): string => {
    const steal = arrowAt(x, y), lane = laneAt(y), at = timeAt(x);
    if (steal >= 0) return describeSteal(steal);
    const time = timeText(at, (shown.current.end - shown.current.begin) / width);
    if (lane < 0) return time;
    const { index, lane: { details }, depths } = from.workers[lane];
    const pixel = (shown.current.end - shown.current.begin) / width;
    const seen = depths.mostIn(at - pixel, at + pixel);
    const queue = seen === 0 ? "" : `; ${nounText(seen - 1, "jobs")} to be taken`;
    if (!details) return `${time}: worker ${index}${queue}`;
    const interval = details.at(at), site = details.site(interval);
    const what = wordText(data.occupations[details.occupation(interval)].name);
    const lasted = durationText(details.ends[interval] - details.begin(interval));
    return `${time}: worker ${index} ${what} for ${lasted}${site ? `, in ${data.report.sites[site - 1].name}` : ""}${queue}`;
  };

  return (
    <section class="card block" aria-labelledby="timeline-title">
      <div class="heading">
        <h2 id="timeline-title">Timeline</h2>
        <div class="buttons" role="group" aria-label="Move and magnify">
          <button type="button" class="button" aria-label="Earlier" onClick={() => pan(-0.3)}>←</button>
          <button type="button" class="button" aria-label="Later" onClick={() => pan(0.3)}>→</button>
          <button type="button" class="button" aria-label="Magnify" onClick={() => zoom(0.5)}>+</button>
          <button type="button" class="button" aria-label="Show more" onClick={() => zoom(2)}>−</button>
          <button type="button" class="button" disabled={view.begin === 0 && view.end === length} onClick={() => go(all)}>Whole run</button>
          <button type="button" class="button" onClick={chooseShown}>Narrow to this view</button>
        </div>
      </div>
      <div class="timeline">
        <div class="gutter" style={{ height: `${layout.height}px` }}>
          <span class="label" style={{ top: `${layout.pool.top}px`, height: `${layout.pool.height}px` }}>{nounText(data.report.budget.slots, "slots")}</span>
          {from.workers.map(({ index }, worker) => (
            <button key={worker} type="button" class="label" aria-pressed={narrowing.worker === worker} aria-label={`Worker ${index}`} title={`Narrow to worker ${index}`}
                    style={{ top: `${layout.lanes[worker].top}px`, height: `${layout.lanes[worker].height}px` }} onClick={() => narrow({ worker: narrowing.worker === worker ? null : worker })}>
              {layout.lanes[worker].height > 12 ? <><span class="wide">worker </span>{index}</> : ""}
            </button>
          ))}
        </div>
        <div class="plot" ref={box}>
          <canvas ref={canvas} style={{ height: `${layout.height}px` }} role="img" data-begin={view.begin} data-end={view.end}
                  aria-label={`What ${nounText(from.workers.length, "workers")} did from ${timeText(view.begin, view.end / 1000)} to ${timeText(view.end, view.end / 1000)}; the table of workers says it in figures`}
                  onPointerDown={press} onPointerMove={move} onPointerUp={release} onPointerLeave={() => setPointed("")} />
        </div>
      </div>
      <p class="pointed soft">{pointed || inView}</p>
      {deepestOf(from) > 0 && (
        <p class="soft note">Under each worker: jobs that others could take from it, where somebody looked, at most {countText(deepestOf(from) - 1)}. Twice as many are one step higher; a thin line is none.</p>
      )}
      {children}
    </section>
  );
}
