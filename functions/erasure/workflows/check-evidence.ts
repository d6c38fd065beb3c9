import { hashOfUser } from '../../../lib/runtime/log.ts';
import { listVersions, type Objects } from '../../../lib/runtime/objects.ts';
import { begunPrefix, requestsPrefix } from '../../ledger/buckets.ts';
import { type Irregularity, irregularityOf, type RequestEvidence } from '../rules/evidence-check.ts';
import { takenBackBy } from '../stores/erasure-evidence.ts';

export type Checking = {
  readonly bucket: Objects;
  readonly isHeld: (userId: string) => Promise<boolean>;
  /** Whether the state has the request, and the account is closed with all its guards. */
  readonly stands: (userId: string, requestedAt: string) => Promise<boolean>;
  /** Between a request and the beginning, by S3. */
  readonly graceMs: number;
  /** After which the grace is over by any clock. */
  readonly dueMs: number;
  readonly now: Date;
  readonly hasTime: () => boolean;
};

export type Checked = {
  readonly requests: number;
  readonly held: number;
  /** Whether all were looked at. */
  readonly isComplete: boolean;
  readonly findings: readonly string[];
};

/**
 * Compares what users asked for with what was begun and erased, by what lies in the bucket: whoever deletes a row of the queue, or
 * writes a state, changes nothing of that. Of rows it asks one thing: whether they keep the user out during the grace, who else
 * would not know of it. One user's failure is a finding, and the others are looked at.
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

/** @returns how many requests wait for a hold */
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
    // Asked of the rows before the decisions: a restoration decides first, and opens the account then.
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

type User = { userId: string; requests: RequestEvidence[] };

/** Both lists come in the keys' order, and so do users: of one of them at a time something is in memory. */
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

/** What has another name is no request, though it may lie there: a later one beside a request is not to put off when it is due. */
const requestForm = /^([^/]+\/[^/]*?Z)\.json$/;
const begunForm = /^([^/]+\/[^/]*?Z)\.(seen|begun|erased)\.json$/;

/** `place`: `<userId>/<requestedAt>`, as both prefixes have it. */
async function* entriesBelow(bucket: Objects, prefix: string, form: RegExp) {
  for await (const { key, versions } of listVersions(bucket, prefix)) {
    const [oldest] = versions;
    const [, place, kind = ''] = form.exec(key.slice(prefix.length)) ?? [];
    if (place !== undefined && oldest) yield { place, kind, storedAt: oldest.storedAt };
  }
}
