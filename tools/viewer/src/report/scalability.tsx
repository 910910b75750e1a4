// What more workers bring: what was measured, what the analysis expects if there is one, and what no schedule can exceed.
import { useLayoutEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axisOf, powerText, styleOf, timesAxis } from "../shared/axes";
import { useWidth } from "../shared/size";
import { useTheme } from "../shared/theme";
import type { Analysis, Data, Report, Sweep } from "./data";
import { countText, durationText, nounText, numberText } from "../shared/text";

interface Row {
  workers: number;
  /** The best of the runs: other load on the machine can only make them slower. */
  measured: number | null;
  /** The speed-up of each run, if a sweep has any. */
  runs: number[];
  expected: number | null;
  bound: number;
}

/** Rows if work and span were found. The bounds are T1 / P and T-infinity; a watched run does not say how long a parallel one takes. */
function predictedRows({ work_ns, parallelism, predictions }: Analysis, slots: number, measured: (workers: number) => number | null): Row[] {
  const shown = predictions.filter(({ workers }) => workers <= Math.max(4 * slots, 4 * parallelism));
  return shown.map(({ workers, bound_ns, estimate_ns }) => ({ workers, bound: work_ns / bound_ns, expected: work_ns / estimate_ns, measured: measured(workers), runs: [] }));
}

/** The analysis of the recording itself or of the one on one worker. */
const analysisOf = ({ report, alone }: Data): Analysis | null => [report.analysis, alone?.analysis].find((each) => each && each.work_ns > 0) ?? null;

/** The points of a sweep, and what is expected between and beyond them. */
function sweptRows({ rows, whole }: Sweep): Row[] {
  const most = Math.max(...rows.filter(({ speed_ups }) => speed_ups.length > 0).map(({ workers }) => workers));
  const shown = rows.filter(({ workers }) => workers <= 4 * Math.max(most, whole?.parallelism ?? 1));
  return shown.map(({ speed_ups, ...row }) => ({ ...row, runs: speed_ups, measured: speed_ups.length > 0 ? Math.max(...speed_ups) : null }));
}

/** The share of the slots' time that is not lost. */
const knownShare = ({ budget: { share } }: Report): number => 1 - (share.unknown ?? 0);

/** Against the run on one worker if there is one; else the mean number of working slots in the recorded time, as if no work had been in vain. */
function rowsOf(data: Data): Row[] {
  const { report, alone, sweep } = data, { slots, parallelism } = report.budget, analysis = analysisOf(data);
  if (sweep) return sweptRows(sweep);
  const measured = alone ? alone.length_ns / report.length_ns : parallelism / (knownShare(report) || 1);
  // A watched run is serial, whatever its slots: it is the point of one worker.
  if (analysis) return predictedRows(analysis, slots, (workers) => (workers === 1 ? 1 : workers === slots && !report.analysis ? measured : null));
  const counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].filter((count) => count <= 4 * slots);
  const all = [...new Set([...counts, slots])].sort((a, b) => a - b);
  return all.map((workers) => ({ workers, bound: workers, expected: null, measured: workers === slots ? measured : alone && workers === 1 ? 1 : null, runs: [] }));
}

/** The words on the runs with most workers, and on the whole. */
function SweptWords({ rows, whole }: { rows: Row[]; whole: Sweep["whole"] }) {
  const { workers, measured, expected, runs } = rows.filter((row) => row.runs.length > 0).pop()!;
  return (
    <p class="soft note">
      <strong>{numberText(measured ?? 0)} on {workers}</strong> measured{expected !== null && <>, <strong>{numberText(expected)}</strong> expected</>}, against the best run on one worker.
      {runs.length > 1 && ` A ring for each run, ${countText(runs.length)} on ${nounText(workers, "workers")}; the best is filled, as what others do on the machine can only add to its time.`}
      {whole ? ` The parallelism is ${numberText(whole.parallelism)}, with steals at their price ${numberText(whole.burdened_parallelism)}; ${durationText(whole.outside_ns)} that nobody watched count as serial. Dashed: what no schedule exceeds, the number of workers and the parallelism.` : " Dashed: the bound. With a recording at span level, this one or one as --alone, there is a prediction, too."}
    </p>
  );
}

function Words({ data, rows }: { data: Data; rows: Row[] }) {
  const { slots } = data.report.budget, analysis = analysisOf(data);
  const here = rows.find((row) => row.workers === slots);
  const isParallel = !data.report.analysis;
  const found = <strong>{numberText(here?.measured ?? 0)} of {slots}</strong>;
  if (data.sweep) return <SweptWords rows={rows} whole={data.sweep.whole} />;
  if (!analysis || here?.expected == null) {
    return (
      <p class="soft note">
        {found}{data.alone ? ", against the run on one worker" : ` slots worked on average${knownShare(data.report) < 0.995 ? ", as far as records tell" : ""}; the speed-up needs a run on one worker (--alone)`}. Dashed: the bound.
        A recording at span level has a prediction, too{data.alone ? "" : ", and both with --alone"}.
      </p>
    );
  }
  return (
    <p class="soft note">
      {isParallel && <>{found} measured, against the watched run on one worker; </>}
      <strong>{numberText(here.expected)} on {slots}</strong> expected: the parallelism is {numberText(analysis.parallelism)}, with steals at their price {numberText(analysis.burdened_parallelism)}.
      Dashed: what no schedule exceeds, the number of workers and the parallelism.
      {!isParallel && " The recorded run was watched, and serial for that: its point is that of one worker. The page of a parallel run has both with this one as --alone."}
    </p>
  );
}

/** `part`: how many slots worked on average in what is chosen, if anything is. */
export function Scalability({ data, part }: { data: Data; part: number | null }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 320), theme = useTheme();
  const rows = rowsOf(data), isSwept = data.sweep !== null;
  useLayoutEffect(() => {
    const columns = [({ workers }: Row) => workers, ({ bound }: Row) => bound, ({ expected }: Row) => expected, slowestOf, ({ measured }: Row) => measured];
    const plot = new uPlot(optionsOf(width, box.current!, rows), columns.map((column) => rows.map(column)) as uPlot.AlignedData, box.current!);
    return () => plot.destroy();
  }, [data, width, theme]);
  return (
    <section class="card block" aria-labelledby="scale-title">
      <h2 id="scale-title">Speed-up</h2>
      <div class="scale" ref={box} aria-hidden="true" />
      <div class="only-heard">
        <table>
          <caption>Speed-up by number of workers</caption>
          <thead><tr><th scope="col">Workers</th><th scope="col">At most</th><th scope="col">Expected</th><th scope="col">Measured</th>{isSwept && <th scope="col">Each run</th>}</tr></thead>
          <tbody>{rows.map((row) => (
            <tr key={row.workers}><th scope="row">{row.workers}</th><td>{numberText(row.bound)}</td><td>{row.expected === null ? "not known" : numberText(row.expected)}</td>
              <td>{row.measured === null ? "not measured" : numberText(row.measured)}</td>{isSwept && <td>{runsText(row)}</td>}</tr>))}</tbody>
        </table>
      </div>
      {part !== null && <p class="note"><strong>{numberText(part)} of {data.report.budget.slots}</strong> slots worked in what is chosen; the plot is of the whole run.</p>}
      <Words data={data} rows={rows} />
    </section>
  );
}

const slowestOf = ({ runs }: Row): number | null => (runs.length === 0 ? null : Math.min(...runs));
const runsText = ({ runs, measured }: Row): string => (runs.length === 0 ? "none" : `${numberText(Math.min(...runs))} to ${numberText(measured ?? 0)} in ${nounText(runs.length, "runs")}`);

/** A ring for each run. */
function drawRuns({ ctx, valToPos }: uPlot, rows: Row[], colour: string): void {
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  for (const { workers, runs } of rows) {
    for (const run of runs) {
      ctx.beginPath();
      ctx.arc(valToPos(workers, "x", true), valToPos(run, "y", true), 4 * devicePixelRatio, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }
  ctx.restore();
}

function optionsOf(width: number, element: HTMLElement, rows: Row[]): uPlot.Options {
  const value = styleOf(element);
  const isSwept = rows.some(({ runs }) => runs.length > 0);
  return {
    width, height: 230, hooks: { draw: [(plot) => drawRuns(plot, rows, value("--accent"))] }, legend: { show: false }, cursor: { show: false },
    scales: { x: { time: false, distr: 3, log: 2 }, y: { distr: 3, log: 2, range: (_, low, high) => [0.85 * low, 1.15 * high] } },
    axes: [{ ...axisOf(value, "workers", powerText), size: 30 }, timesAxis(value)],
    series: [{}, { stroke: value("--strong-line"), width: 1.5, dash: [6, 4], points: { show: false } },
      { stroke: value("--accent"), width: 2, points: { show: !isSwept, size: 5 } },
      { stroke: "transparent", paths: () => null, points: { show: false } },  // the slowest runs, so that the scale has room for them
      { stroke: value("--accent"), paths: () => null, points: { show: true, size: isSwept ? 8 : 12, fill: value("--accent"), stroke: value("--accent"), width: 1 } }],
  };
}
