/** What happened to a patient, merged from several sources that each have their own order and place. Pure. */

export const kinds = ['response', 'diary', 'window', 'entitlement', 'unit', 'ticket', 'site'] as const;
export type Kind = (typeof kinds)[number];

/** Something that happened: where to find it, and not what it says. */
export type Happening = {
  readonly kind: Kind;
  readonly at: string;
  /** Of its kind: the response, the diary's date, the number of the window, … */
  readonly eventId: string;
  /** What it belongs to: the questionnaire, the programme, the course, the site; null where there is none. */
  readonly subject: string | null;
};

/** With where its source goes on after it. */
type Placed = { readonly place: string; readonly event: Happening };

/** A page of a source, newest first. */
export type SourcePage = {
  readonly found: readonly Placed[];
  /** After which more follow; it may lie behind all that was found. Null: nothing follows. */
  readonly next: string | null;
};

/** Where a page of the whole ended: of each source that has given something its place, and the time of what was shown last. */
export type Position = { readonly [kind in Kind]?: string } & { readonly until?: string };

type Source = { readonly kind: Kind; readonly queue: Placed[]; readonly next: string | null };

/**
 * The next page of the whole, newest first. Each source goes on from its own place, so that nothing is lost or shown twice, whatever
 * is added meanwhile. What lies ahead and is newer than the last that was shown was added after that: it is passed over, as each source is in
 * order of time.
 *
 * The page ends early where a source has given all that it read and more follows: what that is, is not known.
 *
 * @param pages of each source, from its place in `from` on
 */
export function merged(
  pages: Readonly<Record<Kind, SourcePage>>,
  { limit, from }: { limit: number; from: Position },
): { events: Happening[]; next: Position | null } {
  const places = new Map<Kind, string>(kinds.flatMap((kind) => (from[kind] === undefined ? [] : [[kind, from[kind]]])));
  const sources = kinds.map((kind): Source => {
    const { found, next } = pages[kind];
    const isNew = ({ event }: Placed) => from.until !== undefined && event.at > from.until;
    const old = found.findIndex((placed) => !isNew(placed));
    const passed = old < 0 ? found.length : old;
    const last = found[passed - 1];
    if (last) places.set(kind, last.place);
    return { kind, queue: found.slice(passed), next };
  });
  const events: Happening[] = [];
  while (events.length < limit) {
    const dry = sources.filter(({ queue, next }) => queue.length === 0 && next !== null);
    for (const { kind, next } of dry) places.set(kind, next ?? '');
    if (dry.length > 0) break;
    const first = newest(sources);
    const placed = first?.queue.shift();
    if (!first || !placed) break;
    events.push(placed.event);
    places.set(first.kind, placed.place);
  }
  const hasMore = sources.some(({ queue, next }) => queue.length > 0 || next !== null);
  const until = events.at(-1)?.at ?? from.until;
  const next: Position = { ...Object.fromEntries(places), ...(until !== undefined && { until }) };
  return { events, next: hasMore ? next : null };
}

/** Of two of one time the one whose source is named first. */
function newest(sources: readonly Source[]): Source | null {
  return sources.reduce<Source | null>((best, source) => {
    const [head, top] = [source.queue[0], best?.queue[0]];
    return head && (!top || head.event.at > top.event.at) ? source : best;
  }, null);
}

/**
 * A source that is known whole: its events in order, from behind a place on.
 *
 * @param after null: from the beginning
 */
export function pageOf(events: readonly Happening[], limit: number, after: string | null): SourcePage {
  const placed = events
    .map((event) => ({ place: `${event.at}#${event.eventId}`, event }))
    .toSorted((one, other) => (one.place > other.place ? -1 : 1))
    .filter(({ place }) => after === null || place < after);
  const found = placed.slice(0, limit);
  return { found, next: placed.length > limit ? (found.at(-1)?.place ?? null) : null };
}
