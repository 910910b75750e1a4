// Axes of plots, with the colors and the type of the page.
import type uPlot from "uplot";

/** What the style sheet says at `element`. */
export const styleOf = (element: HTMLElement) => (name: string): string => getComputedStyle(element).getPropertyValue(name).trim();

/** "1/8" is shorter than 0.125. */
const timesText = (power: number): string => (power >= 1 ? String(power) : `1/${1 / power}`);

/** The text beside a power of two; empty beside other numbers. */
export const powerText = (split: number | null): string => (split !== null && Number.isInteger(Math.log2(split)) ? timesText(split) : "");

export function powersOfTwo(low: number, high: number): number[] {
  const first = Math.ceil(Math.log2(low)), last = Math.floor(Math.log2(high));
  return Array.from({ length: last - first + 1 }, (_, i) => 2 ** (first + i));
}

export function axisOf(style: (name: string) => string, label: string, text: (split: number | null) => string): uPlot.Axis {
  return {
    label, stroke: style("--soft"), font: `12px ${style("--sans")}`, labelFont: `12px ${style("--sans")}`, labelSize: 18,
    grid: { stroke: style("--line"), width: 1 }, ticks: { stroke: style("--line"), width: 1 }, values: (_, splits) => splits.map(text),
  };
}

/** The axis of speed-ups: powers of two. */
export const timesAxis = (style: (name: string) => string): uPlot.Axis => ({ ...axisOf(style, "times", powerText), size: 40, splits: (_, __, low, high) => powersOfTwo(low, high) });
