import { hashOfUser } from '../../../lib/runtime/log.ts';
import { listVersions, type Objects } from '../../../lib/runtime/objects.ts';
import { begunPrefix, requestsPrefix } from '../../ledger/buckets.ts';
import { irregularityOf, type RequestEvidence } from '../rules/evidence-check.ts';
import { takenBackBy } from '../stores/erasure-evidence.ts';

export type Checking = {
  readonly bucket: Objects;
  readonly isHeld: (userId: string) => Promise<boolean>;
  /** Between a request and the beginning, by S3. */
  readonly graceMs: number;
  /** After which the grace is over by any clock. */
  readonly dueMs: number;
  readonly now: Date;
  /** Throws when time is up. */
  readonly goOn: () => void;
};

export type Checked = { readonly requests: number; readonly held: number; readonly findings: readonly string[] };

/**
 * Compares what users asked for with what was begun and erased, by what lies in the bucket alone: whoever deletes a row of the
 * queue, or writes a state, changes nothing of that.
 */
export async function checkEvidence({ bucket, isHeld, goOn, ...rules }: Checking): Promise<Checked> {
  const figures = { requests: 0, held: 0 };
  const findings: string[] = [];
  for await (const { userId, requests } of users(bucket)) {
    for (const request of requests) {
      goOn();
      figures.requests += 1;
      const irregularity = irregularityOf(request, requests, rules);
      if (!irregularity) continue;
      if (irregularity === 'overdue' || irregularity === 'never-taken-up') {
        if ((await takenBackBy(bucket, userId))(request.requestedAt)) continue;
        if (await isHeld(userId)) {
          figures.held += 1;
          continue;
        }
      }
      findings.push(`${irregularity}: user ${hashOfUser(userId)}, request of ${request.requestedAt}`);
    }
  }
  return { ...figures, findings };
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
