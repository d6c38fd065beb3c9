import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { listVersions, type Objects, putOnce, readObject } from '../../../lib/runtime/objects.ts';
import { decisionsPrefix } from '../../evidence/buckets.ts';
import { begunBelow, begunKey, requestKey, tombstoneKey } from '../../evidence/rules.ts';
import type { Erasure } from '../rules/state.ts';
import { type Decided, type Decision, type TakenBack, takenBackIn } from '../rules/taken-back.ts';

/**
 * The evidence of an erasure: objects outside the tables, dated by S3. The user's request is below a prefix where only
 * the function of the request may put objects. That the erasing function saw the request, began and ended is below a
 * prefix where only this function may put objects. One object decides whether the restoration or the closing of sign-in
 * came first. Rows of tables are no evidence, because more than one function writes them.
 */

export type Request = { readonly userId: string; readonly requestedAt: string };

const seenKey = ({ userId, requestedAt }: Request) => `${begunBelow(userId)}${requestedAt}.seen.json`;
const erasedKey = ({ userId, requestedAt }: Request) => `${begunBelow(userId)}${requestedAt}.erased.json`;
const decisionKey = ({ userId, requestedAt }: Request) => `${decisionsPrefix}${userId}/${requestedAt}.json`;

/**
 * Repeatable. It is stored before the row is written, because a row without it has no effect.
 *
 * @param graceEndsAt by the business rules' time, which S3 does not know
 */
export async function layRequest(
  bucket: Objects,
  request: Request & { readonly graceEndsAt: string | null; readonly application: string | null },
): Promise<void> {
  const { userId, requestedAt, graceEndsAt, application } = request;
  await layOnce(bucket, requestKey(userId, requestedAt), { userId, requestedAt, graceEndsAt, application });
}

/** What was stored with a request. */
type Asked = {
  readonly graceEndsAt: string | null;
  /** Whose account is erased. Undefined of a request from before this was stored. */
  readonly application: unknown;
};

/** @returns null if the user made no request */
export async function askedIn(bucket: Objects, request: Request): Promise<Asked | null> {
  const key = requestKey(request.userId, request.requestedAt);
  const laid = await oldestAt(bucket, key);
  const body = laid && (await readObject(bucket, key, { versionId: laid.id }));
  if (!body) return null;
  const { graceEndsAt, application } = jsonIn(body) ?? {};
  return { graceEndsAt: typeof graceEndsAt === 'string' ? graceEndsAt : null, application };
}

export async function laySeen(bucket: Objects, request: Request): Promise<void> {
  await layOnce(bucket, seenKey(request), request);
}

/** @returns the time by S3; null if the erasing function has not seen the request */
export async function seenAt(bucket: Objects, request: Request): Promise<Date | null> {
  return (await oldestAt(bucket, seenKey(request)))?.storedAt ?? null;
}

/** Only the first of the two decisions is stored. @returns this decision, and when it was stored */
export async function decide(bucket: Objects, request: Request, decision: Decision): Promise<Decided> {
  await layOnce(bucket, decisionKey(request), { ...request, decision });
  const decided = await decisionIn(bucket, request);
  if (!decided) throw new Error('a decision that was laid is not there');
  return decided;
}

/** Null if nothing is decided. An object that is not a decision counts as taken back, so that it closes no account. */
export async function decisionIn(bucket: Objects, request: Request): Promise<Decided | null> {
  const key = decisionKey(request);
  const laid = await oldestAt(bucket, key);
  const body = laid && (await readObject(bucket, key, { versionId: laid.id }));
  return body && { decision: jsonIn(body)?.decision === 'closing' ? 'closing' : 'restored', at: laid.storedAt };
}

/**
 * Which requests a user took back. One decision also covers earlier requests without a decision, since a restored table
 * may not have had them at the time of the restoration. No decision is read for the other requests.
 *
 * @param of the times of the requests in question
 * @param known the answer of `requestsOf`, if it was already read
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

/** Parallel calls: the calls of a client wait for its sockets, and a call that waits too long fails. */
export const readsAtATime = 16;

/**
 * The decisions about these requests, by the requests' times. Other decisions are not read: a role that may decide
 * could store any number of them.
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
 * A time without a decision: this one, or a random one within the next seconds. Nobody can know it beforehand.
 * Otherwise a role that may decide could store a decision for every time that will be tried.
 *
 * @returns null if all times that were tried have a decision
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

/** When each request of the user was stored, by S3. An object whose name is not a time is not a request. */
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
 * When the erasure of a user began, by S3's own clock. Null if it never began by the rules, that is, with a request that its user did
 * not take back and a full grace period before it.
 */
export async function begunAtOf(bucket: Objects, userId: string, graceMs: number): Promise<Date | null> {
  const asked = await requestsOf(bucket, userId);
  const begun: { requestedAt: string; at: Date }[] = [];
  for await (const { key, versions } of listVersions(bucket, begunBelow(userId))) {
    const [oldest] = versions;
    const [, requestedAt = ''] = /([^/]*)\.begun\.json$/.exec(key) ?? [];
    const askedAt = asked.get(requestedAt);
    if (oldest && askedAt && askedAt.getTime() + graceMs <= oldest.storedAt.getTime())
      begun.push({ requestedAt, at: oldest.storedAt });
  }
  if (begun.length === 0) return null;
  // Each erasure that began by the rules has its own decision.
  const decided = await decisionsOf(
    bucket,
    userId,
    begun.map(({ requestedAt }) => requestedAt),
  );
  const undecided = begun.flatMap(({ requestedAt }) => (decided.has(requestedAt) ? [] : requestedAt));
  const isTakenBack = undecided.length > 0 ? await takenBackBy(bucket, userId, undecided, asked) : () => false;
  const left = begun.flatMap(({ requestedAt, at }) => {
    const decision = decided.get(requestedAt)?.decision;
    return decision === 'restored' || (!decision && isTakenBack(requestedAt)) ? [] : [at];
  });
  return left.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

export async function layErased(bucket: Objects, request: Request): Promise<void> {
  await layOnce(bucket, erasedKey(request), request);
}

/** Whether the records of a user were released: only the function that releases may store the tombstone. */
export async function isReleased(bucket: Objects, userId: string): Promise<boolean> {
  return (await oldestAt(bucket, tombstoneKey(userId))) !== null;
}

/** Requests of a user with a state in the table have a time. */
export function requestOf({ userId, requestedAt }: Erasure): Request | null {
  return requestedAt === null ? null : { userId, requestedAt };
}

async function layOnce(bucket: Objects, key: string, body: object): Promise<void> {
  await putOnce(bucket, key, JSON.stringify(body), 'application/json');
}

/** Reads the first version: a later version over it is not what was stored originally. */
async function oldestAt(bucket: Objects, wanted: string) {
  // S3 lists it first among all objects whose names begin with its name, however many there are.
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
