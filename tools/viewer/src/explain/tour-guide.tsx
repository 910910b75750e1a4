// Plays the tour over the page, with its caption at the foot.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Story } from "./data";
import type { Place } from "./show";
import { placeAt, tourOf } from "./tour";

const frameMs = 200;

/** Which stop, and for how long; goes on by itself until the last stop is over. */
export function useTour(story: Story, show: (place: Place) => void) {
  const stops = useMemo(() => tourOf(story), [story]);
  const [at, setAt] = useState<{ stop: number; seconds: number } | null>(null);
  useEffect(() => {
    if (at === null) return;
    show(placeAt(stops[at.stop], at.seconds));
    const timer = setTimeout(() => {
      const seconds = at.seconds + frameMs / 1000;
      const isOver = seconds >= stops[at.stop].seconds;
      if (!isOver) setAt({ stop: at.stop, seconds });
      else setAt(at.stop + 1 < stops.length ? { stop: at.stop + 1, seconds: 0 } : null);
    }, frameMs);
    return () => clearTimeout(timer);
  }, [at]);
  const turn = (by: number) => setAt((now) => {
    if (now === null) return null;
    const stop = now.stop + by;
    return stop >= stops.length ? null : { stop: Math.max(0, stop), seconds: 0 };
  });
  return {
    stops, at,
    start: () => setAt({ stop: 0, seconds: 0 }),
    leave: () => setAt(null),
    forward: () => turn(1),
    back: () => turn(-1),
  };
}

export function TourCaption({ tour }: { tour: ReturnType<typeof useTour> }) {
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus({ preventScroll: true }), []);
  if (tour.at === null) return null;
  const total = tour.stops.reduce((sum, stop) => sum + stop.seconds, 0);
  const gone = tour.stops.slice(0, tour.at.stop).reduce((sum, stop) => sum + stop.seconds, 0) + tour.at.seconds;
  return (
    <aside class="tour card" aria-label="Guided tour">
      <p class="caption" role="status">{tour.stops[tour.at.stop].caption}</p>
      <div class="foot">
        <span class="dots" aria-hidden="true">{tour.stops.map((_, index) => <i key={index} data-state={index < tour.at!.stop ? "done" : index === tour.at!.stop ? "now" : "ahead"} />)}</span>
        <span class="soft left">{Math.ceil(total - gone)} s</span>
        <button type="button" class="button" onClick={tour.leave}>Leave <kbd>Esc</kbd></button>
        <button type="button" class="button primary" ref={next} onClick={tour.forward}>Next</button>
      </div>
    </aside>
  );
}
