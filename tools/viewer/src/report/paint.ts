// Lanes as pixels. What a column of pixels holds is stacked in it by its share of the time, so that no magnification hides anything.
import { occupationCount } from "./details";
import { stackOrder, tileSize } from "./look";

/** Where a lane lies in the image, in pixels. */
export interface Band {
  top: number;
  height: number;
}

/**
 * Paints a lane from its columns (`Lane.columns`). `capacity` is the time that fills a column; where the columns hold less, the rest stays as it is.
 */
export function paintLane(image: ImageData, { top, height }: Band, columns: Float64Array, capacity: number, tiles: Uint32Array[]): void {
  const words = new Uint32Array(image.data.buffer), { width } = image;
  for (let x = 0; x < width; ++x) {
    let bottom = top + height, filled = 0;
    for (const o of stackOrder) {
      const ns = columns[x * occupationCount + o];
      if (ns === 0) continue;
      filled += ns;
      const until = Math.max(top, top + height - Math.round((filled / capacity) * height));
      paintColumn(words, width, x, until, bottom, tiles[o]);
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
    for (let y = from; y < top + height; ++y) words.fill(seen === 1 ? empty : bar, y * width + left, y * width + right);
  });
}

function paintColumn(words: Uint32Array, width: number, x: number, from: number, to: number, tile: Uint32Array): void {
  const across = x & (tileSize - 1);
  for (let y = from; y < to; ++y) words[y * width + x] = tile[(y & (tileSize - 1)) * tileSize + across];
}
