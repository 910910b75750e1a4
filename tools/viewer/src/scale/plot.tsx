// Speed-up or efficiency of all workloads, by the number of workers.
import { useLayoutEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axisOf, powerText, styleOf, timesAxis } from "../shared/axes";
import { useWidth } from "../shared/size";
import { useTheme } from "../shared/theme";
import type { Curve, Point } from "./data";
import { lookOf } from "./look";

export type Quantity = "speed_up" | "efficiency";

interface Props {
  curves: Curve[];
  chosen: number;
  quantity: Quantity;
}

/** The numbers of workers that any curve has. */
export const countsOf = (curves: Curve[]): number[] => [...new Set(curves.flatMap(({ points }) => points.map(({ workers }) => workers)))].sort((a, b) => a - b);

export function Plot({ curves, chosen, quantity }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 320), theme = useTheme();
  useLayoutEffect(() => {
    const counts = countsOf(curves);
    const best = counts.map((workers) => (quantity === "speed_up" ? workers : 1));
    const value = (curve: Curve, workers: number) => curve.points.find((point: Point) => point.workers === workers)?.[quantity] ?? null;
    const data = [counts, best, ...curves.map((curve) => counts.map((workers) => value(curve, workers)))] as uPlot.AlignedData;
    const plot = new uPlot(optionsOf(width, box.current!, curves.length, chosen, quantity), data, box.current!);
    return () => plot.destroy();
  }, [curves, chosen, quantity, width, theme]);
  return <div class="curves" ref={box} aria-hidden="true" />;
}

function optionsOf(width: number, element: HTMLElement, count: number, chosen: number, quantity: Quantity): uPlot.Options {
  const value = styleOf(element);
  const isTimes = quantity === "speed_up";
  const series = Array.from({ length: count }, (_, i): uPlot.Series => {
    const { color, dash } = lookOf(i), isChosen = i === chosen;
    return { stroke: value(color), width: isChosen ? 4 : 1.5, dash: isChosen ? [] : dash, alpha: isChosen ? 1 : 0.65, points: { show: true, size: isChosen ? 9 : 5, fill: value(color) }, spanGaps: true };
  });
  return {
    width, height: width < 500 ? 260 : 360, legend: { show: false }, cursor: { show: false },
    scales: {
      x: { time: false, distr: 3, log: 2 },
      y: isTimes ? { distr: 3, log: 2, range: (_, low, high) => [0.85 * low, 1.15 * high] } : { range: [0, 1.05] },
    },
    axes: [{ ...axisOf(value, "workers", powerText), size: 30 }, isTimes ? timesAxis(value) : { ...axisOf(value, "efficiency", (split) => split?.toFixed(1) ?? ""), size: 40 }],
    series: [{}, { stroke: value("--strong-line"), width: 1.5, dash: [6, 4], points: { show: false } }, ...series],
  };
}
