import { gunzipSync, gzipSync } from 'node:zlib';
import { findVersion, type Objects } from '../../../lib/runtime/objects.ts';
import { changesKey, importedKey, isHash, shardKey, type Tree, treeKey, treeRoot } from '../rules/checkpoint.ts';
import { readLeaf } from '../rules/leaf.ts';
import { merkleRoot } from '../rules/merkle.ts';

/**
 * The data of checkpoints, below `ledger/` in the bucket `Evidence`. An object is named by its root: other content
 * under this name, in any version, is not accepted.
 */

/** @returns null if the signed content is missing */
export async function readTree(evidence: Objects, root: string): Promise<Tree | null> {
  const treeIn = (body: Buffer) => JSON.parse(body.toString('utf8')) as Tree;
  const isOne = (tree: Tree) => treeRoot(tree) === root && Object.values(tree).every(isHash);
  const body = await findVersion(evidence, treeKey(root), (one) => isTrue(() => isOne(treeIn(one))));
  return body && treeIn(body);
}

/** @returns the texts of a shard's leaves; null if the signed content is missing, or is none of leaves: whoever may sign may sign the root of anything */
export function readShard(evidence: Objects, root: string): Promise<string[] | null> {
  return readLeaves(evidence, shardKey(root), root);
}

/** The same for the leaves that a checkpoint added. */
export function readChanges(evidence: Objects, root: string): Promise<string[] | null> {
  return readLeaves(evidence, changesKey(root), root);
}

/** The same for the leaves of an import. */
export function readImported(evidence: Objects, root: string): Promise<string[] | null> {
  return readLeaves(evidence, importedKey(root), root);
}

/** A million leaves of the longest names have 240 MB, and 150 MB packed. Whoever may store them may store more than a function's memory holds. */
const mostPacked = 160_000_000;
const mostUnpacked = 260_000_000;

async function readLeaves(evidence: Objects, key: string, root: string): Promise<string[] | null> {
  const body = await findVersion(
    evidence,
    key,
    (one) =>
      isTrue(() => {
        const texts = unpackLeaves(one);
        return merkleRoot(texts) === root && texts.every(readLeaf);
      }),
    mostPacked,
  );
  return body && unpackLeaves(body);
}

/** A file of leaves: one line each, compressed. */
export function packLeaves(leaves: readonly string[]): Buffer {
  return gzipSync(leaves.join('\n'));
}

/** @throws an Error if it is not gzip, or too large */
function unpackLeaves(body: Buffer): string[] {
  const text = gunzipSync(body, { maxOutputLength: mostUnpacked }).toString('utf8');
  return text === '' ? [] : text.split('\n');
}

/** An attacker may have stored anything. */
function isTrue(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}
