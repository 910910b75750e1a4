import { useEffect, useState } from "preact/hooks";

/** Long enough not to come between two moves of a pointer. */
const pause_ms = 60;

/** `value` as it was when it last stayed the same for a moment: for what takes longer than a frame. */
export function useLater<T>(value: T): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(() => value), pause_ms);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
