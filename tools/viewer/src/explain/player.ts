import { useEffect, useState } from "preact/hooks";
import type { Story } from "./data";
import { choiceCount, stepCount, usualChoice, type Place } from "./show";

const stepMs = 900;

/** Where the reader is, and whether it goes on by itself. */
export function usePlayer(story: Story) {
  const [place, setPlace] = useState<Place>(() => ({ tab: 1, choice: usualChoice(story, 1), step: 0 }));
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const last = stepCount(story, place);

  useEffect(() => {
    if (!isPlaying) return;
    if (place.step >= last) return setPlaying(false);
    const timer = setTimeout(() => setPlace({ ...place, step: place.step + 1 }), stepMs / speed);
    return () => clearTimeout(timer);
  }, [isPlaying, place, speed, last]);

  const goTo = (step: number) => {
    setPlaying(false);
    setPlace({ ...place, step: Math.max(0, Math.min(last, step)) });
  };
  const choose = (choice: number) => {
    const count = choiceCount(story, place);
    setPlaying(false);
    setPlace({ ...place, choice: (choice + count) % count, step: 0 });
  };
  const openTab = (tab: number) => {
    setPlaying(false);
    setPlace({ tab, choice: usualChoice(story, tab), step: 0 });
  };
  const toggle = () => {
    if (!isPlaying && place.step === last) setPlace({ ...place, step: 0 });
    setPlaying(!isPlaying);
  };
  return { place, last, isPlaying, speed, setSpeed, goTo, choose, openTab, toggle, setPlace, setPlaying };
}
