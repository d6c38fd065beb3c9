import { hashOfUser } from '../../../lib/runtime/log.ts';
import { listVersions, type Objects } from '../../../lib/runtime/objects.ts';
import { begunPrefix, requestsPrefix } from '../../evidence/buckets.ts';
import { type Irregularity, irregularityOf, type RequestEvidence } from '../rules/evidence-check.ts';
import { decisionIn, takenBackBy } from '../stores/erasure-evidence.ts';

export type Checking = {
  readonly bucket: Objects;
  readonly isHeld: (userId: string) => Promise<boolean>;
  /** Whether the state has the request, and the account is closed with all its guard rows. */
  readonly stands: (userId: string, requestedAt: string) => Promise<boolean>;
  /** The shortest time between a request and the beginning of the erasure, by S3. */
  readonly graceMs: number;
  /** After this time the grace period is over by any clock. */
  readonly dueMs: number;
  readonly now: Date;
  readonly hasTime: () => boolean;
};

export type Checked = {
  readonly requests: number;
  readonly held: number;
  /** Whether all requests were checked. */
  readonly isComplete: boolean;
  readonly findings: readonly string[];
};

/**
 * Compares the users' requests with the erasures that were begun and finished. It uses the objects in the bucket, so
 * somebody who deletes a queue entry or writes a state cannot mislead it. It reads rows only to see whether they close
 * the account during the grace period; otherwise the user would not know of the request. If the check of one user
 * fails, this is a finding, and the others are still checked.
 */
export async function checkEvidence({ hasTime, ...checking }: Checking): Promise<Checked> {
  const figures = { requests: 0, held: 0, isComplete: true };
  const findings: string[] = [];
  for await (const user of users(checking.bucket)) {
    if (!hasTime()) return { ...figures, isComplete: false, findings };
    figures.requests += user.requests.length;
    const found = (what: string, requestedAt: string) =>
      void findings.push(`${what}: user ${hashOfUser(user.userId)}, request of ${requestedAt}`);
    try {
      figures.held += await checkUser(user, checking, found);
    } catch (error) {
      found(`not-checked (${error instanceof Error ? error.name : 'unknown'})`, user.requests[0]?.requestedAt ?? '');
    }
  }
  return { ...figures, findings };
}

/** @returns how many requests wait because of a hold */
async function checkUser(
  { userId, requests }: User,
  { bucket, isHeld, stands, ...rules }: Omit<Checking, 'hasTime'>,
  found: (what: Irregularity | 'not-standing', requestedAt: string) => void,
): Promise<number> {
  const open: { requestedAt: string; irregularity: Irregularity | 'not-standing' }[] = [];
  for (const request of requests) {
    const { requestedAt, askedAt, isSeen, begunAt, isErased } = request;
    const irregularity = irregularityOf(request, requests, rules);
    const isOpen = irregularity === 'overdue' || irregularity === 'never-taken-up';
    if (irregularity && !isOpen) found(irregularity, requestedAt);
    else if (irregularity) open.push({ requestedAt, irregularity });
    else if (
      isRecent(begunAt, rules.now) &&
      (await decisionIn(bucket, { userId, requestedAt }))?.decision === 'restored'
    )
      found('erased-although-taken-back', requestedAt);
    // The rows are read before the decisions, because a restoration first stores its decision and then opens the
    // account.
    else if (askedAt && isSeen && !begunAt && !isErased && !(await stands(userId, requestedAt)))
      open.push({ requestedAt, irregularity: 'not-standing' });
  }
  if (open.length === 0) return 0;
  const times = open.map(({ requestedAt }) => requestedAt);
  const isTakenBack = await takenBackBy(bucket, userId, times);
  const left = open.filter(({ requestedAt }) => !isTakenBack(requestedAt));
  const isHeldBack = left.some(({ irregularity }) => irregularity !== 'not-standing') && (await isHeld(userId));
  const findings = left.filter(({ irregularity }) => !isHeldBack || irregularity === 'not-standing');
  for (const { requestedAt, irregularity } of findings) found(irregularity, requestedAt);
  return left.length - findings.length;
}

/** A run looks at what has begun since the one before it, also where that failed twice. */
function isRecent(begunAt: Date | null, now: Date): boolean {
  return begunAt !== null && begunAt.getTime() > now.getTime() - 3 * 86_400_000;
}

type User = { userId: string; requests: RequestEvidence[] };

/** Both lists are in the order of the keys, and so of the users. So the memory holds only one user at a time. */
async function* users(bucket: Objects): AsyncGenerator<User> {
  let user: User | undefined;
  for await (const { userId, ...request } of joined(bucket)) {
    if (user && user.userId !== userId) yield user;
    if (user?.userId !== userId) user = { userId, requests: [] };
    user.requests.push(request);
  }
  if (user) yield user;
}

async function* joined(bucket: Objects): AsyncGenerator<RequestEvidence & { userId: string }> {
  const asked = entriesBelow(bucket, requestsPrefix, requestForm);
  const begun = entriesBelow(bucket, begunPrefix, begunForm);
  let [one, other] = [await asked.next(), await begun.next()];
  while (!one.done || !other.done) {
    const places = [...(one.done ? [] : [one.value.place]), ...(other.done ? [] : [other.value.place])];
    const place = places.toSorted()[0] ?? '';
    const [userId = '', requestedAt = ''] = place.split('/');
    let askedAt: Date | null = null;
    const laid = new Map<string, Date>();
    while (!one.done && one.value.place === place) {
      askedAt ??= one.value.storedAt;
      one = await asked.next();
    }
    while (!other.done && other.value.place === place) {
      laid.set(other.value.kind, other.value.storedAt);
      other = await begun.next();
    }
    const begunAt = laid.get('begun') ?? null;
    yield { userId, requestedAt, askedAt, begunAt, isSeen: laid.has('seen'), isErased: laid.has('erased') };
  }
}

/**
 * An object with another kind of name is not a request. Otherwise such an object beside a request could delay when the
 * request is due.
 */
const requestForm = /^([^/]+\/[^/]*?Z)\.json$/;
const begunForm = /^([^/]+\/[^/]*?Z)\.(seen|begun|erased)\.json$/;

/** `place`: `<userId>/<requestedAt>`, as below both prefixes. */
async function* entriesBelow(bucket: Objects, prefix: string, form: RegExp) {
  for await (const { key, versions } of listVersions(bucket, prefix)) {
    const [oldest] = versions;
    const [, place, kind = ''] = form.exec(key.slice(prefix.length)) ?? [];
    if (place !== undefined && oldest) yield { place, kind, storedAt: oldest.storedAt };
  }
}
