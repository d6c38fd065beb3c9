import { hashOfUser } from '../../../lib/runtime/log.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { listVersions, type Objects } from '../../../lib/runtime/objects.ts';
import { begunPrefix, requestsPrefix } from '../../evidence/buckets.ts';
import { shownText } from '../../evidence/rules.ts';
import { type Irregularity, irregularityOf, lateMs, type RequestEvidence } from '../rules/evidence-check.ts';
import { readsAtATime, takenBackBy } from '../stores/erasure-evidence.ts';

export type Checking = {
  readonly bucket: Objects;
  readonly isHeld: (userId: string) => Promise<boolean>;
  /** Whether the row in `Erasures` has the request, and the account is closed with all its guard rows. */
  readonly isEnforced: (userId: string, requestedAt: string) => Promise<boolean>;
  /** Whether the consent records of a user who was erased expire in time, or are under a legal hold. */
  readonly hasReleaseOrHold: (userId: string, erasedAt: Date) => Promise<boolean>;
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
 * the account during the grace period, as otherwise the user would not know of the request, and whether they release
 * the records of who was erased. If the check of one user fails, this is a finding, and the others are still checked.
 */
export async function checkEvidence({ hasTime, hasReleaseOrHold, ...checking }: Checking): Promise<Checked> {
  const figures = { requests: 0, held: 0 };
  const findings: string[] = [];
  const erased: { userId: string; requestedAt: string; erasedAt: Date }[] = [];
  const walk: Walk = { bucket: checking.bucket, hasTime, flooded: new Set(), strangers: { objects: 0 } };
  const say = (what: string, userId: string, requestedAt = '') =>
    void findings.push(`${what}: user ${hashOfUser(userId)}, request of ${shownText(requestedAt)}`);
  const trying = async (userId: string, requestedAt: string | undefined, check: () => Promise<void>) =>
    check().catch((error: unknown) =>
      say(`not-checked (${error instanceof Error ? error.name : 'unknown'})`, userId, requestedAt),
    );
  for await (const user of users(walk, startFor(checking.now))) {
    // Also of the last one in the lists, whose requests may not be complete.
    if (!hasTime()) break;
    const { userId, requests } = user;
    if (walk.flooded.has(userId)) continue;
    figures.requests += requests.length;
    await trying(userId, requests[0]?.requestedAt, async () => {
      figures.held += await checkUser(user, checking, (what, requestedAt) => say(what, userId, requestedAt));
    });
    // The row is written after the evidence.
    const done = requests.flatMap(({ requestedAt, erasedAt }) =>
      erasedAt && erasedAt.getTime() + lateMs < checking.now.getTime() ? [{ userId, requestedAt, erasedAt }] : [],
    );
    erased.push(...done.slice(0, 1));
  }
  await mapWithConcurrency(erased, readsAtATime, async ({ userId, requestedAt, erasedAt }) => {
    if (!hasTime()) return;
    await trying(userId, requestedAt, async () => {
      if (!(await hasReleaseOrHold(userId, erasedAt))) say('never-released', userId, requestedAt);
    });
  });
  for (const userId of walk.flooded) findings.push(`too-many-requests: user ${hashOfUser(userId)}`);
  if (walk.strangers.objects > 0) findings.push(`not-a-user: ${walk.strangers.objects} objects`);
  return { ...figures, isComplete: hasTime(), findings };
}

/** @returns how many requests wait because of a hold */
async function checkUser(
  { userId, requests }: User,
  { bucket, isHeld, isEnforced, ...rules }: Omit<Checking, 'hasTime' | 'hasReleaseOrHold'>,
  report: (what: Irregularity | 'not-standing', requestedAt: string) => void,
): Promise<number> {
  const pending: { requestedAt: string; irregularity: Irregularity | 'not-standing' }[] = [];
  for (const request of requests) {
    const { requestedAt, requestStoredAt, isSeen, begunAt, erasedAt, isErased } = request;
    const irregularity = irregularityOf(request, requests, rules);
    const mayBeExcused = irregularity === 'overdue' || irregularity === 'never-taken-up';
    if (irregularity && !mayBeExcused) report(irregularity, requestedAt);
    else if (irregularity) pending.push({ requestedAt, irregularity });
    else if (
      [begunAt, erasedAt].some((at) => isRecent(at, rules.now)) &&
      (await takenBackBy(bucket, userId, [requestedAt]))(requestedAt)
    )
      report('erased-although-taken-back', requestedAt);
    // The rows are read before the decisions, because a restoration first stores its decision and then opens the
    // account.
    else if (requestStoredAt && isSeen && !begunAt && !isErased && !(await isEnforced(userId, requestedAt)))
      pending.push({ requestedAt, irregularity: 'not-standing' });
  }
  if (pending.length === 0) return 0;
  const times = pending.map(({ requestedAt }) => requestedAt);
  const isTakenBack = await takenBackBy(bucket, userId, times);
  const left = pending.filter(({ requestedAt }) => !isTakenBack(requestedAt));
  // What a watcher takes for an erasure, and nobody may begin.
  for (const { requestedAt, begunAt } of requests)
    if (begunAt && times.includes(requestedAt) && isTakenBack(requestedAt))
      report('erased-although-taken-back', requestedAt);
  const isHeldBack = left.some(({ irregularity }) => irregularity !== 'not-standing') && (await isHeld(userId));
  const findings = left.filter(({ irregularity }) => !isHeldBack || irregularity === 'not-standing');
  for (const { requestedAt, irregularity } of findings) report(irregularity, requestedAt);
  return left.length - findings.length;
}

/** A run looks at what was stored since the one before it, also where that failed twice. */
function isRecent(storedAt: Date | null, now: Date): boolean {
  return storedAt !== null && storedAt.getTime() > now.getTime() - 3 * 86_400_000;
}

type User = { userId: string; requests: Request[] };
type Request = RequestEvidence & { readonly erasedAt: Date | null };

/** Nobody can remove evidence, and a role that may store it may store any number of it. */
type Walk = Pick<Checking, 'bucket' | 'hasTime'> & {
  /** Users of whom there is too much. The walk goes on behind them. */
  readonly flooded: Set<string>;
  /** Objects below a name that is no user's id. */
  readonly strangers: { objects: number };
};
type KeyRange = { readonly from: string; readonly to: string | null };

/** Of one user below one prefix: three objects for each of some hundred requests. */
const mostObjects = 1000;
const userForm = /^[\w.-]{1,64}$/;

/**
 * Each day the walk begins at another place, and goes around. So who stores more than one run can read hides others for
 * some days only: the multiples of this fraction are spread evenly.
 */
function startFor(now: Date): string {
  const range = (Math.floor(now.getTime() / 86_400_000) * 0.618_033_988_749) % 1;
  return Math.floor(range * 0x10000)
    .toString(16)
    .padStart(4, '0');
}

/** Both lists are in the order of the keys, and so of the users. So the memory holds only one user at a time. */
async function* users(walk: Walk, start: string): AsyncGenerator<User> {
  const ranges: KeyRange[] = [
    { from: start, to: null },
    { from: '', to: start },
  ];
  for (const range of ranges) {
    let user: User | undefined;
    for await (const { userId, ...request } of requestsIn(walk, range)) {
      if (user && user.userId !== userId) yield user;
      if (user?.userId !== userId) user = { userId, requests: [] };
      user.requests.push(request);
    }
    if (user) yield user;
  }
}

async function* requestsIn(walk: Walk, range: KeyRange): AsyncGenerator<Request & { userId: string }> {
  const requests = entriesBelow(walk, range, requestsPrefix, requestForm);
  const runs = entriesBelow(walk, range, begunPrefix, runForm);
  let [one, other] = [await requests.next(), await runs.next()];
  while (!one.done || !other.done) {
    const places = [...(one.done ? [] : [one.value.place]), ...(other.done ? [] : [other.value.place])];
    const place = places.toSorted()[0] ?? '';
    const [userId = '', requestedAt = ''] = place.split('/');
    let requestStoredAt: Date | null = null;
    const storedByKind = new Map<string, Date>();
    while (!one.done && one.value.place === place) {
      requestStoredAt ??= one.value.storedAt;
      one = await requests.next();
    }
    while (!other.done && other.value.place === place) {
      storedByKind.set(other.value.kind, other.value.storedAt);
      other = await runs.next();
    }
    const begunAt = storedByKind.get('begun') ?? null;
    const erasedAt = storedByKind.get('erased') ?? null;
    yield {
      userId,
      requestedAt,
      requestStoredAt,
      begunAt,
      erasedAt,
      isSeen: storedByKind.has('seen'),
      isErased: erasedAt !== null,
    };
  }
}

/**
 * An object with another kind of name is not a request. Otherwise such an object beside a request could delay when the
 * request is due.
 */
const requestForm = /^([^/]+\/[^/]*?Z)\.json$/;
const runForm = /^([^/]+\/[^/]*?Z)\.(seen|begun|erased)\.json$/;

/** `place`: `<userId>/<requestedAt>`, as below both prefixes. It ends early when the time is over. */
async function* entriesBelow(
  { bucket, hasTime, flooded, strangers }: Walk,
  { from, to }: KeyRange,
  prefix: string,
  form: RegExp,
) {
  let next: string | null = from;
  while (next !== null) {
    const after: string = prefix + next;
    next = null;
    let [last, objects] = ['', 0];
    for await (const { key, versions } of listVersions(bucket, prefix, after)) {
      const name = key.slice(prefix.length);
      if (!hasTime() || (to !== null && name > to)) return;
      const [userId = ''] = name.split('/');
      objects = userId === last ? objects + 1 : 1;
      last = userId;
      const isUser = userForm.test(userId);
      if (!isUser) strangers.objects += 1;
      else if (objects > mostObjects) flooded.add(userId);
      if (objects > mostObjects) {
        // `0` comes right after `/`.
        next = `${userId}0`;
        break;
      }
      const [oldest] = versions;
      const [, place, kind = ''] = (isUser && form.exec(name)) || [];
      if (place !== undefined && oldest) yield { place, kind, storedAt: oldest.storedAt };
    }
  }
}
