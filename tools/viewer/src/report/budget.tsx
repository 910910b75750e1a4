// Where the time went, as a bar that is a list at the same time.
import type { Data } from "./data";
import { isUse } from "./details";
import { durationText, percentText, wordText } from "../shared/text";

interface Props {
  data: Data;
  /** Nanoseconds by occupation, and all of them together. */
  spent: ArrayLike<number>;
  total: number;
  images: string[];
  /** Whose time it is. */
  whose: string;
  /** Narrows to where most of an occupation lies. */
  choose: (occupation: number) => void;
}

export function Budget({ data, spent, total, images, whose, choose }: Props) {
  const present = data.occupations.map((each, o) => ({ ...each, o, share: total === 0 ? 0 : spent[o] / total })).filter(({ share }) => share > 0);
  return (
    <div class="budget">
      <div class="bar" aria-hidden="true">
        {present.map(({ name, o, share }) => (
          <i key={name} title={`${wordText(name)} ${percentText(share)}`} onClick={() => choose(o)} style={{ flexGrow: share, backgroundImage: images[o] }} />
        ))}
      </div>
      <ul class="legend" aria-label={`Where the time of ${whose} went`}>
        {present.map(({ name, meaning, o, share }) => (
          <li key={name} data-use={isUse(o) ? name : undefined}>
            <i class="tile" style={{ backgroundImage: images[o] }} aria-hidden="true" />
            <span><strong>{percentText(share)}</strong> <button type="button" class="link" title="Narrow to the shortest time that holds half of it" onClick={() => choose(o)}>{wordText(name)}</button> <span class="soft meaning">{meaning}{isUse(o) ? "" : ", without a slot"} · {durationText(spent[o])}</span></span>
          </li>
        ))}
        {present.length === 0 && <li class="soft">no time at all</li>}
      </ul>
    </div>
  );
}
