import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { listVersions, type Objects, putOnce, readObject } from '../../../lib/runtime/objects.ts';
import { decisionsPrefix } from '../../ledger/buckets.ts';
import { begunBelow, begunKey, requestKey } from '../../ledger/rules/checkpoint.ts';
import type { Erasure } from '../rules/erasure.ts';
import { type Decided, type Decision, type TakenBack, takenBackIn } from '../rules/taken-back.ts';

/**
 * What an erasure rests on, outside the tables, and dated by S3: that the user asked, below a prefix where only the function
 * of that request puts anything; that the erasing function saw it, began and ended, where only that one does; and which was
 * first, taking it back or closing, in one object for both. Rows of tables are no evidence: more than one function writes those.
 */

export type Request = { readonly userId: string; readonly requestedAt: string };

const seenKey = ({ userId, requestedAt }: Request) => `${begunBelow(userId)}${requestedAt}.seen.json`;
const erasedKey = ({ userId, requestedAt }: Request) => `${begunBelow(userId)}${requestedAt}.erased.json`;
const decisionKey = ({ userId, requestedAt }: Request) => `${decisionsPrefix}${userId}/${requestedAt}.json`;

/**
 * Repeatable. It goes before the row: a row without it leads to nothing.
 *
 * @param graceEndsAt by the business rules' time, which S3 does not know
 */
export async function layRequest(
  bucket: Objects,
  request: Request & { readonly graceEndsAt: string | null },
): Promise<void> {
  const { userId, requestedAt, graceEndsAt } = request;
  await layOnce(bucket, requestKey(userId, requestedAt), { userId, requestedAt, graceEndsAt });
}

/** @returns when the grace ends by what was laid with the request; null where the user did not ask */
export async function askedIn(bucket: Objects, request: Request): Promise<{ graceEndsAt: string | null } | null> {
  const key = requestKey(request.userId, request.requestedAt);
  const laid = await oldestAt(bucket, key);
  const body = laid && (await readObject(bucket, key, laid.id));
  if (!body) return null;
  const { graceEndsAt } = jsonIn(body) ?? {};
  return { graceEndsAt: typeof graceEndsAt === 'string' ? graceEndsAt : null };
}

export async function laySeen(bucket: Objects, request: Request): Promise<void> {
  await layOnce(bucket, seenKey(request), request);
}

/** @returns by S3; null where the erasing function has not seen the request */
export async function seenAt(bucket: Objects, request: Request): Promise<Date | null> {
  return (await oldestAt(bucket, seenKey(request)))?.storedAt ?? null;
}

/** Of the two one is first, whoever puts it. @returns what is decided, and when that was laid */
export async function decide(bucket: Objects, request: Request, decision: Decision): Promise<Decided> {
  await layOnce(bucket, decisionKey(request), { ...request, decision });
  const decided = await decisionIn(bucket, request);
  if (!decided) throw new Error('a decision that was laid is not there');
  return decided;
}

/** Null where nothing is decided. What is no decision closes nothing: it counts as taken back. */
export async function decisionIn(bucket: Objects, request: Request): Promise<Decided | null> {
  const key = decisionKey(request);
  const laid = await oldestAt(bucket, key);
  const body = laid && (await readObject(bucket, key, laid.id));
  return body && { decision: jsonIn(body)?.decision === 'closing' ? 'closing' : 'restored', at: laid.storedAt };
}

/**
 * Which requests a user took back. One decision also covers earlier requests without a decision, since a table that was
 * restored may have forgotten them when it was taken back. Of the others no decision is read.
 *
 * @param of the times that are to be asked about
 * @param known what `requestsOf` said, unless it is to be asked
 */
export async function takenBackBy(
  bucket: Objects,
  userId: string,
  of: readonly string[],
  known?: ReadonlyMap<string, Date>,
): Promise<TakenBack> {
  const asked = known ?? (await requestsOf(bucket, userId));
  const first = of.toSorted()[0] ?? '~';
  const later = [...asked.keys()].filter((requestedAt) => requestedAt >= first);
  return takenBackIn(await decisionsOf(bucket, userId, [...of, ...later]), asked);
}

/** Calls at a time: those of a client wait for its sockets, and one that waits too long fails. */
export const readsAtATime = 16;

/**
 * What is decided of these requests, by their times. Decisions of others are not looked at: there is no end of what whoever may
 * decide can put there.
 */
export async function decisionsOf(
  bucket: Objects,
  userId: string,
  times: Iterable<string>,
): Promise<ReadonlyMap<string, Decided>> {
  const decided = await mapWithConcurrency([...new Set(times)], readsAtATime, async (requestedAt) => {
    const decision = await decisionIn(bucket, { userId, requestedAt });
    return decision ? ([[requestedAt, decision]] as const) : [];
  });
  return new Map(decided.flat());
}

/**
 * The first time from this one on under which nothing is decided, or one of the seconds after it. Which one nobody can know
 * beforehand: whoever may decide could else decide under all that will be tried.
 *
 * @returns null where all that were tried are taken
 */
export async function undecidedFrom(bucket: Objects, userId: string, from: Date): Promise<Date | null> {
  for (let tried = 0; tried < 16; tried += 1) {
    const later = tried < 4 ? tried : Math.floor(Math.random() * 10_000);
    const time = new Date(from.getTime() + later);
    if (!(await isDecided(bucket, { userId, requestedAt: time.toISOString() }))) return time;
  }
  return null;
}

export async function isDecided(bucket: Objects, request: Request): Promise<boolean> {
  return (await oldestAt(bucket, decisionKey(request))) !== null;
}

const requestForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** When each request of the user was laid, by S3. What is named by no time is no request. */
export async function requestsOf(bucket: Objects, userId: string): Promise<ReadonlyMap<string, Date>> {
  const below = requestKey(userId, '').replace(/\.json$/, '');
  const asked = new Map<string, Date>();
  for await (const { key, versions } of listVersions(bucket, below)) {
    const requestedAt = key.slice(below.length, -'.json'.length);
    if (versions[0] && key.endsWith('.json') && requestForm.test(requestedAt))
      asked.set(requestedAt, versions[0].storedAt);
  }
  return asked;
}

export async function isAsked(bucket: Objects, { userId, requestedAt }: Request): Promise<boolean> {
  return (await oldestAt(bucket, requestKey(userId, requestedAt))) !== null;
}

export async function layBegun(bucket: Objects, request: Request, begunAt: string): Promise<void> {
  await layOnce(bucket, begunKey(request.userId, request.requestedAt), { ...request, begunAt });
}

export async function isBegunLaid(bucket: Objects, { userId, requestedAt }: Request): Promise<boolean> {
  return (await oldestAt(bucket, begunKey(userId, requestedAt))) !== null;
}

/**
 * When the erasure of a user began, by S3's own clock; null where it never did by the rules: its request lies there as well, and
 * the grace before it.
 */
export async function begunAtOf(bucket: Objects, userId: string, graceMs: number): Promise<Date | null> {
  const asked = await requestsOf(bucket, userId);
  const times: Date[] = [];
  for await (const { key, versions } of listVersions(bucket, begunBelow(userId))) {
    const [oldest] = versions;
    const [, requestedAt] = /([^/]*)\.begun\.json$/.exec(key) ?? [];
    const askedAt = requestedAt === undefined ? undefined : asked.get(requestedAt);
    if (oldest && askedAt && askedAt.getTime() + graceMs <= oldest.storedAt.getTime()) times.push(oldest.storedAt);
  }
  return times.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

export async function layErased(bucket: Objects, request: Request): Promise<void> {
  await layOnce(bucket, erasedKey(request), request);
}

/** Of a user whose states the table has, requests have a time. */
export function requestOf({ userId, requestedAt }: Erasure): Request | null {
  return requestedAt === null ? null : { userId, requestedAt };
}

async function layOnce(bucket: Objects, key: string, body: object): Promise<void> {
  await putOnce(bucket, key, JSON.stringify(body), 'application/json');
}

/** What came over it later is not what was laid. */
async function oldestAt(bucket: Objects, wanted: string) {
  // It is the first of all whose names begin with it, however many those are.
  for await (const { key, versions } of listVersions(bucket, wanted)) return (key === wanted && versions[0]) || null;
  return null;
}

/** An attacker may have stored anything. */
function jsonIn(body: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
