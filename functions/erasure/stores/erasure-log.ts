import { listVersions, type Objects, putOnce, readObject } from '../../../lib/runtime/objects.ts';
import { erasuresPrefix } from '../../evidence/buckets.ts';
import { tombstoneKey } from '../../evidence/rules.ts';
import { type Logged, stateIn } from '../rules/logged.ts';
import { logNameOf } from '../rules/replayed.ts';
import type { Erasure } from '../rules/state.ts';

/**
 * The log of erasures, outside the tables: each state is under its own key in the bucket of evidence, where nobody can
 * change or remove it. A table that was restored from a backup lacks the erasures after the backup. They are restored
 * from this log.
 */

/** Repeatable: the same state is stored once. */
export async function logErasure(bucket: Objects, erasure: Erasure): Promise<void> {
  const key = `${erasuresPrefix}${erasure.userId}/${logNameOf(erasure)}.json`;
  await putOnce(bucket, key, JSON.stringify(erasure), 'application/json');
}

/**
 * Another object has the name of the tombstone. Object Lock keeps this object, so an operator stores the row's
 * tombstone over it.
 */
class TombstoneTaken extends Error {
  override readonly name = 'TombstoneTaken';
}

/** Repeatable. @throws TombstoneTaken */
export async function storeTombstone(bucket: Objects, userId: string, jws: string): Promise<void> {
  const key = tombstoneKey(userId);
  if (await putOnce(bucket, key, jws, 'application/jose')) return;
  if ((await readObject(bucket, key))?.toString('utf8') !== jws) throw new TombstoneTaken();
}

/** The log's states of a user; `ignored` counts objects that are not states of this user. */
export type LogOfUser = { readonly userId: string; readonly logged: Logged[]; ignored: number };

/** S3 lists keys in order, so the keys of a user follow each other. */
export async function* loggedErasures(bucket: Objects): AsyncGenerator<LogOfUser> {
  let user: LogOfUser = { userId: '', logged: [], ignored: 0 };
  for await (const { key, versions } of listVersions(bucket, erasuresPrefix)) {
    const [, userId = '', name = ''] = /^erasures\/([^/]*)\/?(.*?)(?:\.json)?$/.exec(key) ?? [];
    if (user.userId !== userId) {
      yield user;
      user = { userId, logged: [], ignored: 0 };
    }
    // The first version: a later version over it is not what was logged.
    const [oldest] = versions;
    const body = oldest && (await readObject(bucket, key, { versionId: oldest.id }));
    const state = body && stateIn(body.toString('utf8'), { userId, name });
    if (oldest && state) user.logged.push({ state, storedAt: oldest.storedAt });
    else user.ignored += 1;
  }
  yield user;
}
