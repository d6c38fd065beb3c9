import type { KMSClient } from '@aws-sdk/client-kms';
import type { Line } from '../../../lib/runtime/log.ts';
import { listVersions, type Objects, putOnce, readObject, type Version } from '../../../lib/runtime/objects.ts';
import { publicKeysOf, signCompact } from '../../../lib/runtime/sign.ts';
import { readSigned } from '../../../lib/runtime/signed.ts';
import type { ConsentStates } from '../../access/consent-states.ts';
import { ledgerMetrics } from '../metrics.ts';
import {
  type Checkpoint,
  changesKey,
  checkpointKey,
  checkpointsPrefix,
  checkpointType,
  digestOf,
  isDatedBy,
  numberIn,
  readCheckpoint,
  shardKey,
  type Tree,
  treeKey,
  treeRoot,
} from '../rules/checkpoint.ts';
import { byKey, leafText, readLeaf, shards } from '../rules/leaf.ts';
import { merkleRoot } from '../rules/merkle.ts';
import { packLeaves, readShard, readTree } from '../stores/evidence.ts';
import { scanLeaves } from '../stores/pointers.ts';

export type Publishing = Objects & {
  readonly kms: KMSClient;
  readonly table: ConsentStates<'scan'>;
  readonly keyArn: string;
  /** The public parts of the keys that signed before this one. */
  readonly earlierKeyArns: readonly string[];
  readonly environment: string;
  /** Real time. */
  readonly now: () => Date;
  /** @param metrics counts; each of them raises an alarm */
  readonly log: (line: Line, metrics?: Readonly<Record<string, number>>) => void;
  readonly mostChanges?: number;
};

/** Leaves in one object: each has 150 characters, and a string in Node has at most half a billion. */
const defaultMostChanges = 1_000_000;

/** Another run first wrote the checkpoint with this number. */
class NumberTaken extends Error {
  override readonly name = 'NumberTaken';
}

/** This machine's clock is behind the last checkpoint's. A later time would promise rows that are not there yet, so a later run writes it. */
class ClockIsBehind extends Error {
  override readonly name = 'ClockIsBehind';
}

/** The next run could not read this checkpoint, so it is not signed. */
class NotACheckpoint extends Error {
  override readonly name = 'NotACheckpoint';
}

/**
 * Writes the checkpoint after the last one: first its data, then the signed statement. So a run that stops in between
 * has stated nothing. A checkpoint also lists the leaves that changed since the one before. So the time of a complete
 * check depends on the number of records, and not on the number of checkpoints.
 *
 * @returns figures for the log. `deferred`: shards that are copied from the last checkpoint, because more leaves
 * changed than one object can hold. `retracted`: leaves of the last checkpoint whose chain is now missing, shorter or
 * different. Erasures cause some; verify-ledger finds the others.
 */
export async function publishCheckpoint(publishing: Publishing) {
  const { environment, now, mostChanges = defaultMostChanges } = publishing;
  const { last, number } = await readLast(publishing);
  // Taken before the first row is read: everything committed until then is in the checkpoint, and everything that is
  // missing is later.
  const at = now().toISOString();
  if (last && at < last.checkpoint.at) throw new ClockIsBehind();
  const { byShard, unreadable } = await scanLeaves(publishing.table);
  const tree: Record<string, string> = {};
  const changed: string[] = [];
  const deferred: string[] = [];
  const total = { chains: 0, records: 0, retracted: 0, shardsWritten: 0 };
  for (const shard of shards) {
    const leaves = (byShard.get(shard) ?? []).toSorted(byKey);
    byShard.delete(shard);
    const texts = leaves.map(leafText);
    const shardRoot = leaves.length > 0 ? merkleRoot(texts) : undefined;
    const isSame = shardRoot === last?.tree[shard];
    const read = last && !isSame ? await leavesOf(publishing, last.tree[shard]) : [];
    const before = read ?? [];
    const { added, retracted } = last && !isSame ? compared(before, texts) : { added: [], retracted: 0 };
    const isDeferred = changed.length > 0 && changed.length + added.length > mostChanges;
    const stated = isDeferred ? before.map(readLeaf) : leaves;
    total.chains += stated.length;
    for (const { sequence } of stated) total.records += sequence;
    const statedRoot = isDeferred ? (read ? last?.tree[shard] : undefined) : shardRoot;
    if (statedRoot !== undefined) tree[shard] = statedRoot;
    if (isDeferred) deferred.push(shard);
    if (isDeferred || isSame) continue;
    if (shardRoot !== undefined) {
      await putOnce(publishing, shardKey(shardRoot), packLeaves(texts));
      total.shardsWritten += 1;
    }
    for (const leaf of added) changed.push(leaf);
    total.retracted += retracted;
  }
  const root = treeRoot(tree);
  if (root !== last?.checkpoint.root) await putOnce(publishing, treeKey(root), JSON.stringify(tree));
  const changes = last ? merkleRoot(changed) : null;
  if (changes !== null) await putOnce(publishing, changesKey(changes), packLeaves(changed));
  const { chains, records } = total;
  const checkpoint: Checkpoint = {
    number,
    environment,
    at,
    chains,
    records,
    root,
    changes,
    deferred,
    previous: last?.digest ?? null,
  };
  if (!readCheckpoint({ ...checkpoint })) throw new NotACheckpoint();
  const { kms, keyArn } = publishing;
  if (!(await putOnce(publishing, checkpointKey(number), await signCompact(kms, keyArn, checkpoint, checkpointType)))) {
    throw new NumberTaken();
  }
  const level = unreadable > 0 ? 'ERROR' : 'INFO';
  publishing.log({ level, message: 'written', unreadable }, { [ledgerMetrics.unreadable]: unreadable });
  return { number, ...total, unreadable, deferred: deferred.length, changed: changed.length };
}

type Last = { readonly checkpoint: Checkpoint; readonly digest: string; readonly tree: Tree };

/**
 * The last checkpoint, and the number for the next one. Skipped is what the check skips: what none of the ledger's keys signed, what
 * is of a time to come, and what does not follow the one before it. A tree that was never stored is empty here: else whoever may sign
 * could end all checkpoints.
 */
async function readLast(publishing: Publishing): Promise<{ last: Last | null; number: number }> {
  const { kms, keyArn, earlierKeyArns, environment, log } = publishing;
  const keys = await publicKeysOf(kms, [keyArn, ...earlierKeyArns]);
  const laid = new Map<number, { readonly key: string; readonly version: Version }>();
  for await (const { key, versions } of listVersions(publishing, checkpointsPrefix)) {
    const [oldest] = versions;
    const number = numberIn(key);
    if (number !== null && oldest) laid.set(number, { key, version: oldest });
  }
  // Each is read and judged once, however many of them follow none.
  const read = once(async (number: number): Promise<Laid | null> => {
    const { key, version } = laid.get(number) ?? {};
    if (!key || !version) return null;
    const jws = (await readObject(publishing, key, { versionId: version.id }))?.toString('utf8') ?? '';
    const checkpoint = readCheckpoint(readSigned(jws, checkpointType, keys)?.payload ?? {});
    const isOurs = checkpoint?.number === number && checkpoint.environment === environment;
    return { digest: digestOf(jws), checkpoint: isOurs && isDatedBy(checkpoint, version.storedAt) ? checkpoint : null };
  });
  /** As the check: after the last one that follows, or after an object since then that is skipped. */
  const follows: (number: number) => Promise<boolean> = once(async (number) => {
    const { checkpoint = null } = (await read(number)) ?? {};
    if (!checkpoint) return false;
    for (let before = number - 1; before > 0; before -= 1) {
      const one = await read(before);
      if (!one) return false;
      if (one.digest === checkpoint.previous) return one.checkpoint === null || one.checkpoint.at <= checkpoint.at;
      if (await follows(before)) return false;
    }
    return checkpoint.previous === null;
  });
  for (const number of [...laid.keys()].toReversed()) {
    const { checkpoint = null, digest = '' } = (await read(number)) ?? {};
    const key = checkpointKey(number);
    if (checkpoint && (await follows(number))) {
      const tree = await readTree(publishing, checkpoint.root);
      if (!tree) log({ level: 'ERROR', message: 'the tree of the last checkpoint is missing', key });
      return { last: { checkpoint, digest, tree: tree ?? {} }, number: nextFree(number, laid) };
    }
    log({ level: 'ERROR', message: 'not a checkpoint of this ledger, and stepped over', key });
  }
  return { last: null, number: nextFree(0, laid) };
}

/** `checkpoint`: null where it is none of ours. */
type Laid = { readonly digest: string; readonly checkpoint: Checkpoint | null };

/** @returns the same function, which answers a number that it was asked before as it did then */
function once<T>(ask: (number: number) => Promise<T>): (number: number) => Promise<T> {
  const answers = new Map<number, Promise<T>>();
  return (number) => {
    const answer = answers.get(number) ?? ask(number);
    answers.set(number, answer);
    return answer;
  };
}

function nextFree(after: number, laid: ReadonlyMap<number, unknown>): number {
  let number = after + 1;
  while (laid.has(number)) number += 1;
  return number;
}

/** @returns null where nobody can read them: then all leaves of the shard are new */
async function leavesOf(publishing: Publishing, root: string | undefined): Promise<string[] | null> {
  if (root === undefined) return [];
  const texts = await readShard(publishing, root);
  if (texts) return texts;
  publishing.log({ level: 'ERROR', message: 'a shard of the last checkpoint is missing', key: shardKey(root) });
  return null;
}

function compared(before: readonly string[], after: readonly string[]) {
  const old = new Map(before.map((text) => [readLeaf(text).userAgreement, readLeaf(text).sequence]));
  const known = new Set(before);
  const added = after.filter((text) => !known.has(text));
  const kept = after.length - added.length;
  const moved = added.filter((text) => {
    const { userAgreement, sequence } = readLeaf(text);
    return sequence > (old.get(userAgreement) ?? Number.POSITIVE_INFINITY);
  });
  return { added, retracted: before.length - kept - moved.length };
}
