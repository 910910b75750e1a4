// Lanes as pixels. What a column of pixels holds is stacked in it by its share of the time, so that no magnification hides anything.
import type { Columns } from "./columns";
import { stackOrder, tileSize } from "./look";

/** Where a lane lies in the image, in pixels. */
export interface Band {
  top: number;
  height: number;
}

/**
 * Paints a lane from its columns (`Lane.columns`). `capacity` is the time that fills a column; if the columns hold less, the rest stays as it is.
 */
export function paintLane(image: ImageData, { top, height }: Band, { ns: all, present }: Columns, capacity: number, tiles: Uint32Array[]): void {
  const words = new Uint32Array(image.data.buffer), { width } = image, pixels = height / capacity;
  const stacked = stackOrder.filter((o) => present.includes(o));
  for (let x = 0; x < width; ++x) {
    const across = x & (tileSize - 1);
    let bottom = top + height, filled = 0.5;
    for (let i = 0; i < stacked.length; ++i) {
      const o = stacked[i], ns = all[o * width + x];
      if (ns === 0) continue;
      filled += ns * pixels;
      const until = top + Math.max(0, height - (filled | 0)), tile = tiles[o];
      for (let y = until, at = y * width + x; y < bottom; ++y, at += width) words[at] = tile[(y & (tileSize - 1)) * tileSize + across];
      bottom = until;
    }
  }
}

/**
 * Paints looks at a queue (`Depths.columns`) as bars from below, each `barWidth` pixels wide: one alone must be seen. Twice the jobs are one
 * step more, up to the `most` of any worker.
 */
export function paintDepths(image: ImageData, { top, height }: Band, columns: Float64Array, barWidth: number, most: number, [bar, empty]: [number, number]): void {
  const words = new Uint32Array(image.data.buffer), { width } = image;
  const step = height / Math.log2(Math.max(most, 2));
  columns.forEach((seen, column) => {
    if (seen === 0) return;
    const left = column * barWidth, right = Math.min(width, left + barWidth);
    const from = top + height - Math.max(1, Math.round(step * Math.log2(seen)));
    const colour = seen === 1 ? empty : bar;
    for (let y = from; y < top + height; ++y) {
      for (let x = left; x < right; ++x) words[y * width + x] = colour;
    }
  });
}
