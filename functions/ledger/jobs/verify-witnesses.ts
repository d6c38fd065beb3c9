import { listVersions, type Objects, readObject } from '../../../lib/runtime/objects.ts';
import { pointerChangesPrefix } from '../../evidence/buckets.ts';
import { skewMs } from '../../evidence/rules.ts';
import type { Checkpoint } from '../rules/checkpoint.ts';
import type { Witness } from '../rules/dating.ts';
import type { StoredPointer } from '../rules/finding.ts';
import { type Leaf, leafOf, shardOf } from '../rules/leaf.ts';

type Reading = {
  readonly evidence: Objects;
  /** Of all checkpoints, oldest first. */
  readonly readings: readonly Pick<Checkpoint, 'at' | 'deferred'>[];
  readonly onWitness: (witness: Witness) => void;
};

/**
 * The pointers that somebody overwrote, as `watch-consent-states` stored them. A checkpoint that was made after that did not see the
 * records that they showed, and those records are genuine. Only S3's date counts, and not what the object says: otherwise the
 * object could justify any date. The watcher may be some minutes late.
 */
export async function readWitnesses({ evidence, readings, onWitness }: Reading): Promise<void> {
  for await (const { key, versions } of listVersions(evidence, pointerChangesPrefix)) {
    const [oldest] = versions;
    if (!oldest) continue;
    const before = new Date(oldest.storedAt.getTime() - skewMs).toISOString();
    const earlier = readings.filter(({ at }) => at <= before).toReversed();
    const text = (await readObject(evidence, key, { versionId: oldest.id }))?.toString('utf8') ?? '';
    for (const leaf of overwrittenIn(text)) {
      const shard = shardOf(leaf.userAgreement);
      const last = earlier.find(({ deferred }) => !deferred.includes(shard));
      onWitness({ ...leaf, since: last?.at ?? null });
    }
  }
}

/** A role may have stored anything there. */
function overwrittenIn(text: string): Leaf[] {
  try {
    const { changes } = JSON.parse(text) as { changes: { before: StoredPointer | null }[] };
    return changes.flatMap(({ before }) => leafOf(before ?? {}) ?? []);
  } catch {
    return [];
  }
}
