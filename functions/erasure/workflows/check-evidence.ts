import { hashOfUser } from '../../../lib/runtime/log.ts';
import { listVersions, type Objects } from '../../../lib/runtime/objects.ts';
import { begunPrefix, requestsPrefix } from '../../ledger/buckets.ts';
import { irregularityOf } from '../rules/evidence-check.ts';
import { decisionIn, type Request } from '../stores/erasure-evidence.ts';

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
export async function checkEvidence({ bucket, isHeld, graceMs, dueMs, now, goOn }: Checking): Promise<Checked> {
  const figures = { requests: 0, held: 0 };
  const findings: string[] = [];
  for await (const { request, ...evidence } of joined(bucket)) {
    goOn();
    figures.requests += 1;
    const irregularity = irregularityOf(evidence, { graceMs, dueMs, now });
    if (!irregularity) continue;
    if (irregularity === 'overdue-unless') {
      if ((await decisionIn(bucket, request))?.decision === 'restored') continue;
      if (await isHeld(request.userId)) {
        figures.held += 1;
        continue;
      }
    }
    const kind = irregularity === 'overdue-unless' ? 'overdue' : irregularity;
    findings.push(`${kind}: user ${hashOfUser(request.userId)}, request of ${request.requestedAt}`);
  }
  return { ...figures, findings };
}

type Evidence = { request: Request; askedAt: Date | null; begunAt: Date | null; isErased: boolean };

/** Both lists come in the keys' order, and so does what is made of them: nothing else is in memory. */
async function* joined(bucket: Objects): AsyncGenerator<Evidence> {
  const asked = entriesBelow(bucket, requestsPrefix);
  const begun = entriesBelow(bucket, begunPrefix);
  let [one, other] = [await asked.next(), await begun.next()];
  while (!one.done || !other.done) {
    const place = [...(one.done ? [] : [one.value.place]), ...(other.done ? [] : [other.value.place])].toSorted()[0] ?? '';
    const [userId = '', requestedAt = ''] = place.split('/');
    const found: Evidence = { request: { userId, requestedAt }, askedAt: null, begunAt: null, isErased: false };
    while (!one.done && one.value.place === place) {
      found.askedAt = one.value.storedAt;
      one = await asked.next();
    }
    while (!other.done && other.value.place === place) {
      if (other.value.kind === 'begun') found.begunAt = other.value.storedAt;
      if (other.value.kind === 'erased') found.isErased = true;
      other = await begun.next();
    }
    yield found;
  }
}

/** `place`: `<userId>/<requestedAt>`, as both prefixes have it. */
async function* entriesBelow(bucket: Objects, prefix: string) {
  for await (const { key, versions } of listVersions(bucket, prefix)) {
    const [oldest] = versions;
    const [, place, kind = ''] = /^([^/]+\/.*?Z)(?:\.(\w+))?\.json$/.exec(key.slice(prefix.length)) ?? [];
    if (place !== undefined && oldest) yield { place, kind, storedAt: oldest.storedAt };
  }
}
