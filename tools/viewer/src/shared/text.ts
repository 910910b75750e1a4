// Numbers as filch writes them on a terminal: filch/span/text.cpp.

/** 9.96 would come out as 10.0. */
export const numberText = (value: number): string => (Math.abs(value) < 9.95 ? value.toFixed(1) : value.toFixed(0));
export const percentText = (share: number): string => `${numberText(100 * share)} %`;

export function durationText(ns: number): string {
  for (const [unit, name] of [[1e9, "s"], [1e6, "ms"], [1e3, "us"]] as const) {
    if (ns >= 0.9995 * unit) return `${numberText(ns / unit)} ${name}`;
  }
  return `${Math.round(ns)} ns`;
}

/** A time with as many digits as tell it from another `step` away. */
export function timeText(ns: number, step: number): string {
  const [unit, name] = ns >= 1e9 || step >= 1e8 ? [1e9, "s"] : ns >= 1e6 || step >= 1e5 ? [1e6, "ms"] : ns >= 1e3 || step >= 100 ? [1e3, "us"] : [1, "ns"];
  const digits = Math.max(0, Math.min(9, Math.ceil(Math.log10(unit as number) - Math.log10(step || 1))));
  return `${((ns) / (unit as number)).toFixed(digits)} ${name}`;
}

export const countText = (count: number): string => count.toLocaleString("en");
export const nounText = (count: number, nouns: string): string => `${countText(count)} ${count === 1 ? nouns.slice(0, -1) : nouns}`;
/** "jobs of 16.4 us to 32.8 us" */
export const lengthText = ([from, to]: [number, number]): string => `jobs of ${from === 0 ? "less than" : `${durationText(from)} to`} ${durationText(to)}`;
/** "run_delay" as people write it. */
export const wordText = (name: string): string => name.replace(/_/g, " ");
