// The part of the recording that is on the screen.
export interface View {
  begin: number;
  end: number;
}

/** The shortest range shown: single nanoseconds need not be told apart. */
const shortest_ns = 100;

export function limited({ begin, end }: View, length: number): View {
  const span = Math.min(Math.max(end - begin, Math.min(shortest_ns, length)), length);
  const from = Math.min(Math.max(begin, 0), length - span);
  return { begin: from, end: from + span };
}

/** `factor` below 1 shows less, in more detail; `at` keeps its place on the screen. */
export function zoomed({ begin, end }: View, factor: number, at: number, length: number): View {
  return limited({ begin: at - (at - begin) * factor, end: at + (end - at) * factor }, length);
}

export function panned({ begin, end }: View, share: number, length: number): View {
  const by = (end - begin) * share;
  return limited({ begin: begin + by, end: end + by }, length);
}

/** Round times about `distance` apart within a view. */
export function ticksOf({ begin, end }: View, distance: number): { step: number; times: number[] } {
  const rough = 10 ** Math.floor(Math.log10(distance));
  const step = [1, 2, 5, 10].map((factor) => factor * rough).find((each) => each >= distance) ?? 10 * rough;
  const times = [];
  for (let i = Math.ceil(begin / step); i * step <= end; ++i) times.push(i * step);
  return { step, times };
}
