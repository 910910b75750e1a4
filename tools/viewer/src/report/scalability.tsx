// What more workers bring: what was measured, what the analysis expects where there is one, and what no schedule can exceed.
import { useLayoutEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useWidth } from "../shared/size";
import { useTheme } from "../shared/theme";
import type { Analysis, Data } from "./data";
import { numberText } from "./text";

interface Row {
  workers: number;
  measured: number | null;
  expected: number | null;
  bound: number;
}

/** As far as work and span were found: the bounds are T1 / P and T-infinity, and a watched run says nothing of how long a parallel one takes. */
function predictedRows({ work_ns, parallelism, predictions }: Analysis, slots: number, measured: (workers: number) => number | null): Row[] {
  const shown = predictions.filter(({ workers }) => workers <= Math.max(4 * slots, 4 * parallelism));
  return shown.map(({ workers, bound_ns, estimate_ns }) => ({ workers, bound: work_ns / bound_ns, expected: work_ns / estimate_ns, measured: measured(workers) }));
}

/** Of the recording itself or of the one on one worker. */
const analysisOf = ({ report, alone }: Data): Analysis | null => [report.analysis, alone?.analysis].find((each) => each && each.work_ns > 0) ?? null;

/** Against the run on one worker where there is one; else how many slots worked on average, as if nobody had worked for nothing. */
function rowsOf(data: Data): Row[] {
  const { report, alone } = data, { slots, parallelism } = report.budget, analysis = analysisOf(data);
  const measured = alone ? alone.length_ns / report.length_ns : parallelism;
  // A watched run is serial, whatever its slots: it is the point of one worker.
  if (analysis) return predictedRows(analysis, slots, (workers) => (workers === 1 ? 1 : workers === slots && !report.analysis ? measured : null));
  const counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].filter((count) => count <= 4 * slots);
  const all = [...new Set([...counts, slots])].sort((a, b) => a - b);
  return all.map((workers) => ({ workers, bound: workers, expected: null, measured: workers === slots ? measured : alone && workers === 1 ? 1 : null }));
}

function Words({ data, rows }: { data: Data; rows: Row[] }) {
  const { slots } = data.report.budget, analysis = analysisOf(data);
  const here = rows.find((row) => row.workers === slots);
  const isParallel = !data.report.analysis;
  const found = <strong>{numberText(here?.measured ?? 0)} of {slots}</strong>;
  if (!analysis || here?.expected == null) {
    return (
      <p class="soft note">
        {found}{data.alone ? ", against the run on one worker" : " slots worked on average; the speed-up needs a run on one worker (--alone)"}. Dashed: the bound.
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
  const rows = rowsOf(data);
  useLayoutEffect(() => {
    const plot = new uPlot(optionsOf(width, box.current!), [rows.map((row) => row.workers), rows.map((row) => row.bound), rows.map((row) => row.expected), rows.map((row) => row.measured)], box.current!);
    return () => plot.destroy();
  }, [data, width, theme]);
  return (
    <section class="card block" aria-labelledby="scale-title">
      <h2 id="scale-title">Speed-up</h2>
      <div class="scale" ref={box} aria-hidden="true" />
      <table class="only-heard">
        <caption>Speed-up by number of workers</caption>
        <thead><tr><th scope="col">Workers</th><th scope="col">At most</th><th scope="col">Expected</th><th scope="col">Measured</th></tr></thead>
        <tbody>{rows.map((row) => (
          <tr key={row.workers}><th scope="row">{row.workers}</th><td>{numberText(row.bound)}</td><td>{row.expected === null ? "not known" : numberText(row.expected)}</td>
            <td>{row.measured === null ? "not measured" : numberText(row.measured)}</td></tr>))}</tbody>
      </table>
      {part !== null && <p class="note"><strong>{numberText(part)} of {data.report.budget.slots}</strong> slots worked in what is chosen; the plot is of the whole run.</p>}
      <Words data={data} rows={rows} />
    </section>
  );
}

function optionsOf(width: number, element: HTMLElement): uPlot.Options {
  const value = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
  const axis = (label: string): uPlot.Axis => ({
    label, stroke: value("--soft"), font: `12px ${value("--sans")}`, labelFont: `12px ${value("--sans")}`, labelSize: 18,
    grid: { stroke: value("--line"), width: 1 }, ticks: { stroke: value("--line"), width: 1 },
    values: (_, splits) => splits.map((split) => (split !== null && Number.isInteger(Math.log2(split)) ? String(split) : "")),
  });
  return {
    width, height: 230, legend: { show: false }, cursor: { show: false },
    scales: { x: { time: false, distr: 3, log: 2 }, y: { distr: 3, log: 2 } },
    axes: [{ ...axis("workers"), size: 30 }, { ...axis("times"), size: 40 }],
    series: [{}, { stroke: value("--strong-line"), width: 1.5, dash: [6, 4], points: { show: false } },
      { stroke: value("--accent"), width: 2, points: { show: true, size: 5 } },
      { stroke: value("--accent"), paths: () => null, points: { show: true, size: 12, fill: value("--accent"), stroke: value("--accent"), width: 1 } }],
  };
}
