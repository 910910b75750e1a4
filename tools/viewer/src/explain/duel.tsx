// Inside the deque: two indices, a ring, and two threads at it, one memory access at a time.
import type { Actor, Duel, Frame, Moment } from "./data";

const names = ["Owner", "Thief"];

export function DuelView({ duel, step }: { duel: Duel; step: number }) {
  const frame = step === 0 ? null : duel.frames[step - 1];
  const now = frame ? frame.after : duel.beginning;
  return (
    <div class="duel">
      <Ring moment={now} />
      {now.actors.map((actor, side) => (
        <Listing key={side} side={side} duel={duel} actor={actor} ran={frame && frame.actor === side && !frame.is_store ? frame : null}
                 stored={frame !== null && frame.actor === side && frame.is_store} />
      ))}
    </div>
  );
}

/** The ring from above; the indices only grow, and point at the slot of their remainder by four. */
function Ring({ moment }: { moment: Moment }) {
  const count = moment.slots.length;
  const at = (slot: number, radius: number) => {
    const angle = ((slot + 0.5) / count) * 2 * Math.PI - Math.PI / 2;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  };
  const isInside = (slot: number) => {
    for (let i = moment.top; i < moment.bottom; ++i) if (i % count === slot) return true;
    return false;
  };
  const wedge = (slot: number) => {
    const corner = (part: number, radius: number) => {
      const angle = (part / count) * 2 * Math.PI - Math.PI / 2;
      return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
    };
    return `M${corner(slot, 92)}A92 92 0 0 1 ${corner(slot + 1, 92)}L${corner(slot + 1, 44)}A44 44 0 0 0 ${corner(slot, 44)}z`;
  };
  const label = moment.slots.map((item, slot) => `slot ${slot} ${item ?? "empty"}`).join(", ");
  return (
    <figure class="ring">
      <svg viewBox="-150 -138 300 276" role="img" aria-label={`top ${moment.top}, bottom ${moment.bottom}, ${label}`}>
        {moment.slots.map((item, slot) => {
          const middle = at(slot, 68);
          return (
            <g key={slot} class={`slot ${isInside(slot) ? "inside" : ""}`}>
              <path d={wedge(slot)} />
              <text class="item" x={middle.x} y={middle.y + 8} text-anchor="middle">{item ?? "·"}</text>
              <text class="index" x={at(slot, 33).x} y={at(slot, 33).y + 4} text-anchor="middle">{slot}</text>
            </g>
          );
        })}
        <Pointer name="top" value={moment.top} spot={at(moment.top % count, 118)} shift={-13} />
        <Pointer name="bottom" value={moment.bottom} spot={at(moment.bottom % count, 118)} shift={13} />
      </svg>
      <figcaption class="soft">Items from <b>top</b> up to, not including, <b>bottom</b>. Slot = index mod {count}.</figcaption>
    </figure>
  );
}

function Pointer({ name, value, spot, shift }: { name: string; value: number; spot: { x: number; y: number }; shift: number }) {
  return (
    <g class={`pointer ${name}`} style={{ transform: `translate(${spot.x}px, ${spot.y + shift}px)` }}>
      <rect x="-38" y="-12" width="76" height="24" rx="12" />
      <text y="5" text-anchor="middle">{name} {value}</text>
    </g>
  );
}

interface ListingProps {
  side: number;
  duel: Duel;
  actor: Actor;
  ran: Frame | null;
  stored: boolean;
}

/** The lines of the call that an actor is in: the one that just ran, and the one that comes next. */
function Listing({ side, duel, actor, ran, stored }: ListingProps) {
  const calls = duel.calls[side];
  const isThrough = actor.call >= calls.length;
  const shown = ran ? ran.call : Math.min(actor.call, calls.length - 1);
  return (
    <section class="listing" data-acts={ran !== null || stored} aria-label={names[side]}>
      <header>
        <h2>{names[side]}</h2>
        <span class="calls">
          {calls.map((call, index) => <code key={index} data-state={index < actor.call ? "done" : index === actor.call ? "now" : "ahead"}>{call.name}</code>)}
        </span>
      </header>
      <ol>
        {calls[shown].lines.map((text, line) => {
          const isNext = !isThrough && shown === actor.call && line === actor.line;
          return (
            <li key={line} class={ran?.line === line ? "ran" : isNext ? "next" : ""}>
              <code class={text.endsWith("!") ? "broken" : ""}>{text}</code>
              {ran?.line === line ? <span class="tag">{ran.is_early_load ? "early" : "now"}</span> : isNext ? <span class="tag faint">next</span> : null}
            </li>
          );
        })}
      </ol>
      <dl>
        <Disorder actor={actor} />
        <div><dt>has got</dt><dd>{actor.results.length === 0 ? "nothing yet" : actor.results.join(", ")}</dd></div>
      </dl>
    </section>
  );
}

/** What has not taken effect in order: stores that others do not see yet, or a load that came first. */
function Disorder({ actor: { stores, read_early } }: { actor: Actor }) {
  if (read_early !== null) return <div><dt>read early</dt><dd>{read_early}</dd></div>;
  return <div><dt>store buffer</dt><dd>{stores.length === 0 ? "empty" : stores.map((store) => `${store.where} = ${store.value}`).join(", ")}</dd></div>;
}

/** Said once the last step is reached. */
export function DuelEnd({ duel }: { duel: Duel }) {
  if (duel.fault !== "") return <p class="end fault">Wrong: {duel.fault}.</p>;
  return <p class="end fine">All is well: every item went to one taker.</p>;
}

export function DuelVerdict({ duel }: { duel: Duel }) {
  const { everything, with_all_rules: whole } = duel;
  return (
    <p class="verdict soft">
      {duel.fault !== ""
        ? `Found by trying every order of accesses: ${everything.moments} different moments, ${everything.faults} of ${everything.ends} ends wrong. With the whole algorithm: ${whole.moments} moments, ${whole.faults} of ${whole.ends} ends wrong.`
        : `Every order of accesses was tried: ${whole.moments} different moments, ${whole.faults} of ${whole.ends} ends wrong.`}
    </p>
  );
}
