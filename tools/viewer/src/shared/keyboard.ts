import { useLayoutEffect, useRef } from "preact/hooks";

export type Keys = Record<string, () => void>;

/** "Shift+ArrowLeft", " ", "1" */
function nameOf(event: KeyboardEvent): string {
  return (event.shiftKey && event.key.length > 1 ? "Shift+" : "") + event.key;
}

/** Whether the element in focus has a use of its own for the key. */
function isSpokenFor(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (target.matches("select, textarea, input:not([type=range]):not([type=radio])")) return true;
  if (target.matches("button, a, [role=tab], input[type=radio]") && (event.key === " " || event.key === "Enter")) return true;
  const moves = /^(Arrow|Home|End)/.test(event.key);
  return moves && (target.matches("[role=tab], input[type=radio], input[type=range]") || target.closest(".scroll") !== null);
}

/** Calls what `keys` has for a key, wherever the focus is, unless the element there needs the key. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const action = latest.current[nameOf(event)];
      if (!action || isSpokenFor(event)) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
