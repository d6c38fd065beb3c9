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
const decisionsBelow = (userId: string) => `${decisionsPrefix}${userId}/`;
const decisionKey = ({ userId, requestedAt }: Request) => `${decisionsBelow(userId)}${requestedAt}.json`;

/**
 * Repeatable. It goes before the row: a row without it leads to nothing.
 *
 * @param graceEndsAt by the business rules' time, of which S3 knows nothing
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
  if (!body) return null;
  return { decision: jsonIn(body)?.decision === 'closing' ? 'closing' : 'restored', at: laid.storedAt };
}

/**
 * Which requests a user took back, by their times: with one also those before it of which nothing is decided, since a table that
 * was restored may have forgotten them when it was taken back.
 */
export async function takenBackBy(bucket: Objects, userId: string): Promise<TakenBack> {
  const decisions = await decisionsOf(bucket, userId);
  const isAny = [...decisions.values()].some(({ decision }) => decision === 'restored');
  return takenBackIn(decisions, isAny ? await requestsOf(bucket, userId) : new Map());
}

/** What is decided of a user's requests, by their times. */
async function decisionsOf(bucket: Objects, userId: string): Promise<ReadonlyMap<string, Decided>> {
  const decisions = new Map<string, Decided>();
  for await (const { key } of listVersions(bucket, decisionsBelow(userId))) {
    const requestedAt = key.slice(decisionsBelow(userId).length).replace(/\.json$/, '');
    const decided = await decisionIn(bucket, { userId, requestedAt });
    if (decided) decisions.set(requestedAt, decided);
  }
  return decisions;
}

/** When each request of the user was laid, by S3. */
export async function requestsOf(bucket: Objects, userId: string): Promise<ReadonlyMap<string, Date>> {
  const below = requestKey(userId, '').replace(/\.json$/, '');
  const asked = new Map<string, Date>();
  for await (const { key, versions } of listVersions(bucket, below)) {
    if (versions[0] && key.endsWith('.json')) asked.set(key.slice(below.length, -'.json'.length), versions[0].storedAt);
  }
  return asked;
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
  for await (const { key, versions } of listVersions(bucket, wanted)) {
    if (key === wanted && versions[0]) return versions[0];
  }
  return null;
}

/** Whoever put it there may have put anything. */
function jsonIn(body: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
