import { entryKey, type Status, userOfKey } from '../../app-users/rules.ts';
import type { Generations } from '../../statistics/rules.ts';

/** What the overview counts, and in which figures. Pure. */

/** Of table `SupportTickets`, whose `tables.ts` says which rows there are. */
const [ofPatient, ofTicket] = ['user#', 'request#'];

type FigureKey = { readonly generation: string; readonly figure: string };

/** How many count in a figure. */
export type FigureRow = FigureKey & { readonly count: number };
export type GenerationsRow = FigureKey & Generations & { readonly revision: number };

export const userStatuses = ['active', 'disabled'] as const satisfies Status[];

type Key = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;

/** One that can be counted: whose it is, and which of that person's. */
export type Thing = { readonly userId: string; readonly id: string };

export type Source = {
  readonly name: string;
  /** The thing of a row's key; null for rows that are none. */
  readonly thingOf: (key: Key) => Thing | null;
  /** The key of the row that says of a thing all that is counted. */
  readonly keyOf: (thing: Thing) => Key;
  /** The figures in which it counts, each once. */
  readonly figuresOf: (row: Row) => readonly string[];
};

/** Users by state, and by the week in which they came. */
export const users: Source = {
  name: 'users',
  thingOf: ({ list = '' }) => {
    const userId = userOfKey(list);
    return userId === null ? null : { userId, id: 'user' };
  },
  keyOf: ({ userId }) => entryKey(userId),
  figuresOf: ({ status, createdAt }) => [`users#status#${status}`, `users#week#${weekOf(String(createdAt))}`],
};

/**
 * On which day each begins, and on which it ends: what is active is the difference. The row decides, so that one whose end is moved, as
 * by a revoked batch, moves with it.
 */
export const entitlements: Source = {
  name: 'entitlements',
  thingOf: ({ userId = '', entitlementId = '' }) => ({ userId, id: entitlementId }),
  keyOf: ({ userId, id }) => ({ userId, entitlementId: id }),
  figuresOf: ({ startsAt, endsAt, endedAt }) => [
    `entitlements#from#${String(startsAt).slice(0, 10)}`,
    `entitlements#until#${lastOf(String(startsAt), String(endsAt), endedAt).slice(0, 10)}`,
  ],
};

/** A revocation ends an entitlement early. One that is ended before it starts counts on no day. */
function lastOf(startsAt: string, endsAt: string, endedAt: unknown): string {
  const last = typeof endedAt === 'string' && endedAt < endsAt ? endedAt : endsAt;
  return last < startsAt ? startsAt : last;
}

/** A reminder of the beginning says that a questionnaire became due; a response that is completed, that one was done. */
export const questionnaires: Source = {
  name: 'questionnaires',
  thingOf: ({ userId = '', part = '' }) => (/^(response#|reminder#.*#start$)/.test(part) ? { userId, id: part } : null),
  keyOf: ({ userId, id }) => ({ userId, part: id }),
  figuresOf: ({ part, remindedAt, completedAt, isDeleted }) => {
    if (String(part).startsWith('reminder#')) return [`questionnaires#due#${weekOf(String(remindedAt))}`];
    return typeof completedAt === 'string' && isDeleted !== true ? [`questionnaires#done#${weekOf(completedAt)}`] : [];
  },
};

/** By state, as the patient's own list has them: its key says whose each is, and it changes with the ticket. */
export const tickets: Source = {
  name: 'tickets',
  thingOf: ({ part = '', name = '' }) =>
    part.startsWith(ofPatient) && name.startsWith(ofTicket)
      ? { userId: part.slice(ofPatient.length), id: name.slice(ofTicket.length) }
      : null,
  keyOf: ({ userId, id }) => ({ part: `${ofPatient}${userId}`, name: `${ofTicket}${id}` }),
  figuresOf: ({ state }) => [`tickets#state#${state}`],
};

/** By the week of the morning. What was deleted leaves a tombstone. */
export const sleepEntries: Source = {
  name: 'sleep',
  thingOf: ({ userId = '', date = '' }) => ({ userId, id: date }),
  keyOf: ({ userId, id }) => ({ userId, date: id }),
  figuresOf: ({ date, content, isDeleted }) =>
    isDeleted === true || !content ? [] : [`sleep#week#${weekOf(String(date))}`],
};

/** Of ISO 8601, of a date or an instant in UTC: `2026-W47`. */
export function weekOf(time: string): string {
  const day = new Date(`${time.slice(0, 10)}T00:00:00Z`);
  // The week is that of its Thursday.
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const year = day.getUTCFullYear();
  const week = Math.ceil(((day.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7);
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The last ones, oldest first, ending with that of `now`. */
export function lastWeeks(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    return weekOf(new Date(now.getTime() - (count - 1 - index) * 7 * 86_400_000).toISOString());
  });
}

/** How many have begun and not ended by the end of this day, in UTC. */
export function activeOn(date: string, figures: ReadonlyMap<string, number>): number {
  let active = 0;
  for (const [figure, count] of figures) {
    const [, kind, day = ''] = figure.split('#');
    if (day <= date) active += kind === 'from' ? count : -count;
  }
  return active;
}
