// What `filch-scale` puts into the page: what `--json` prints.
import type { Envelope } from "../shared/data";

export const format = "filch-scale";
export const version = 1;

export interface Place {
  what: string;
  word: string;
  function: string;
  file: string;
  line: number;
  waited_ns: number;
  count: number;
}

export interface Line {
  share: number;
  waited_ns: number;
  words: string;
  places: Place[];
}

interface Asked {
  workload: string;
  purpose: string;
  size: number;
  size_is: string;
  workers: number;
}

export interface Point extends Asked {
  timed_ns: number;
  speed_up: number;
  efficiency: number;
  cpu_ns: number;
  spent_ns: number;
  waited_ns: number;
  paused_ns: number;
  steals_won: number;
  steals_tried: number;
  parks: number;
  wakes: number;
  hottest: Line[];
}

export interface Failed extends Asked {
  failure: string;
}

export interface Data extends Envelope {
  simulation: string;
  machine: { name: string; note: string; cores: number };
  points: (Point | Failed)[];
}

/** A workload with its points, the fewest workers first. */
export interface Curve {
  name: string;
  purpose: string;
  size: string;
  points: Point[];
  failures: Failed[];
}

export function curvesOf({ points }: Data): Curve[] {
  const curves = new Map<string, Curve>();
  for (const each of points) {
    const { workload: name, purpose, size, size_is } = each;
    if (!curves.has(name)) curves.set(name, { name, purpose, size: `${size.toLocaleString("en")} ${size_is}`, points: [], failures: [] });
    const curve = curves.get(name)!;
    if ("failure" in each) curve.failures.push(each);
    else curve.points.push(each);
  }
  for (const { points: some } of curves.values()) some.sort((a, b) => a.workers - b.workers);
  return [...curves.values()];
}

/** A word and what all cores' time waited for it, with each number of workers. */
export interface HotWord {
  words: string;
  shares: (number | null)[];
  most: number;
}

/** Lines of equal words are one row: each worker has some of them. */
export function hotWordsOf({ points }: Curve): HotWord[] {
  const found = new Map<string, (number | null)[]>();
  points.forEach(({ hottest }, i) => {
    for (const { words, share } of hottest) {
      const name = words || "words without a name";
      if (!found.has(name)) found.set(name, points.map(() => null));
      const shares = found.get(name)!;
      shares[i] = (shares[i] ?? 0) + share;
    }
  });
  const rows = [...found].map(([words, shares]) => ({ words, shares, most: Math.max(...shares.map((share) => share ?? 0)) }));
  return rows.sort((a, b) => b.most - a.most).slice(0, 10);
}

/** Where cores waited for these words with so many workers, all lines together. */
export function placesOf(point: Point, words: string): Place[] {
  const sum = new Map<string, Place>();
  for (const { words: of, places } of point.hottest) {
    if ((of || "words without a name") !== words) continue;
    for (const place of places) {
      const key = `${place.file}:${place.line}:${place.function}:${place.what}`;
      const known = sum.get(key);
      if (known) {
        known.waited_ns += place.waited_ns;
        known.count += place.count;
      } else sum.set(key, { ...place });
    }
  }
  return [...sum.values()].sort((a, b) => b.waited_ns - a.waited_ns);
}
