// Columns of numbers out of text: base64 of varints, lowest seven bits first. tools/cli/recordings/page/packed.hpp says what is in which.

/** Takes numbers off the front. */
export class Reader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(text: string) {
    const letters = atob(text);
    this.bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; ++i) this.bytes[i] = letters.charCodeAt(i);
  }

  get isEmpty(): boolean {
    return this.at === this.bytes.length;
  }

  /** Exact up to 2^53, which is a hundred days in nanoseconds. */
  take(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
}

/** A list of numbers that grows. */
export class Column {
  private data = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) {
      const wider = new Float64Array(2 * this.data.length);
      wider.set(this.data);
      this.data = wider;
    }
    this.data[this.length++] = value;
  }
  done(): Float64Array {
    return this.data.subarray(0, this.length);
  }
}

/** The first index at which `ascending` is greater than `value`. */
export function firstAbove(ascending: Float64Array, value: number): number {
  let low = 0, high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
