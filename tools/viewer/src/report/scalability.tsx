// What more workers bring: what was measured, and what no schedule can exceed.
import { useLayoutEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useWidth } from "../shared/size";
import { useTheme } from "../shared/theme";
import type { Data } from "./data";
import { numberText } from "./text";

interface Row {
  workers: number;
  measured: number | null;
  bound: number;
}

/** Against the run on one worker where there is one; else how many slots worked on average, as if nobody had worked for nothing. */
function rowsOf({ report, alone }: Data): Row[] {
  const { slots, parallelism } = report.budget;
  const measured = alone ? alone.length_ns / report.length_ns : parallelism;
  const counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].filter((count) => count <= 4 * slots);
  const all = [...new Set([...counts, slots])].sort((a, b) => a - b);
  return all.map((workers) => ({ workers, bound: workers, measured: workers === slots ? measured : alone && workers === 1 ? 1 : null }));
}

export function Scalability({ data }: { data: Data }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 320), theme = useTheme();
  const rows = rowsOf(data);
  useLayoutEffect(() => {
    const plot = new uPlot(optionsOf(width, box.current!), [rows.map((row) => row.workers), rows.map((row) => row.bound), rows.map((row) => row.measured)], box.current!);
    return () => plot.destroy();
  }, [data, width, theme]);
  return (
    <section class="card block" aria-labelledby="scale-title">
      <h2 id="scale-title">Speed-up</h2>
      <div class="scale" ref={box} aria-hidden="true" />
      <table class="only-heard">
        <caption>Speed-up by number of workers</caption>
        <thead><tr><th scope="col">Workers</th><th scope="col">At most</th><th scope="col">Measured</th></tr></thead>
        <tbody>{rows.map((row) => <tr key={row.workers}><th scope="row">{row.workers}</th><td>{row.bound}</td><td>{row.measured === null ? "not measured" : numberText(row.measured)}</td></tr>)}</tbody>
      </table>
      <p class="soft note">
        <strong>{numberText(rows.find((row) => row.workers === data.report.budget.slots)?.measured ?? 0)} of {data.report.budget.slots}</strong>
        {data.alone ? ", against the run on one worker" : " slots worked on average; the speed-up needs a run on one worker (--alone)"}. Dashed: the bound.
        A recording has no span and predicts nothing; filch analyze does.
      </p>
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
      { stroke: value("--accent"), width: 2, spanGaps: true, points: { show: true, size: 12, fill: value("--accent"), stroke: value("--accent"), width: 1 } }],
  };
}
