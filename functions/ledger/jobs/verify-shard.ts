import type { Anchor } from '../rules/anchor.ts';
import { type Dating, misdating, placeOf, provedIn, type Witness } from '../rules/dating.ts';
import type { Finding } from '../rules/finding.ts';
import type { Leaf } from '../rules/leaf.ts';
import { type Anchors, readShardLeaves } from './verify-anchors.ts';
import { examine, type Ledger } from './verify-chain.ts';
import type { Work } from './verify-work.ts';

/** What the walk found out about a chain. */
export type ChainLine = {
  readonly key: string;
  /** What the pointer to the last record has to be. */
  readonly digest: string;
  readonly records: readonly (readonly [sequence: number, hash: string, recordedAt: string, isImported: boolean])[];
  /** The chain, as it was read, has a finding. */
  readonly isWrong: boolean;
};

/** What the walk found out about a pointer. */
export type PointerLine = { readonly key: string; readonly digest: string };

type Comparing = {
  readonly work: Work;
  readonly ledger: Ledger;
  readonly anchors: Anchors;
  readonly movedClock: boolean;
  /** Real time. */
  readonly now: () => Date;
};

/** So many at once; each makes a few requests. */
const examinations = 8;

/** @returns what is wrong with the chains of one shard; only this shard is in memory */
export async function compareShard(comparing: Comparing, shard: string): Promise<Finding[]> {
  const { work, ledger } = comparing;
  const findings: Finding[] = [];
  const said = await anchorsIn(shard, comparing, (finding) => findings.push(finding));
  const datingOf = datingIn(shard, said, comparing);
  const suspects = [...suspectsIn(work, shard, said, datingOf)];
  for (let at = 0; at < suspects.length; at += examinations) {
    const some = suspects.slice(at, at + examinations);
    const examined = some.map((key) => examine(ledger, key, datingOf(key), comparing.now));
    for (const found of await Promise.all(examined)) findings.push(...found);
  }
  return findings;
}

async function anchorsIn(shard: string, { work, ledger, anchors }: Comparing, found: (finding: Finding) => void) {
  const said = work.read('anchors', shard).map((line) => JSON.parse(line) as Anchor);
  // Most shards are in both without a change: the earlier checkpoint proves more.
  const roots = new Map(anchors.snapshots.toReversed().map(({ tree, ...of }) => [tree[shard], of]));
  for (const [root, of] of roots) {
    if (root === undefined) continue;
    for (const leaf of await readShardLeaves(ledger.evidence, root, found)) said.push({ ...leaf, ...of });
  }
  return said;
}

function datingIn(shard: string, said: readonly Anchor[], { work, anchors, movedClock, now }: Comparing) {
  const byChain = Map.groupBy(said, ({ userAgreement }) => userAgreement);
  const imported = Map.groupBy(
    work.read('imports', shard).map((line) => JSON.parse(line) as Leaf),
    ({ userAgreement }) => userAgreement,
  );
  const witnesses = Map.groupBy(
    work.read('witnesses', shard).map((line) => JSON.parse(line) as Witness),
    ({ userAgreement }) => userAgreement,
  );
  // A shard is compared after the whole walk, so no record of it is later than now.
  const checkedAt = now().toISOString();
  return (userAgreement: string): Dating => ({
    anchors: byChain.get(userAgreement) ?? [],
    witnesses: witnesses.get(userAgreement) ?? [],
    lookedAt: anchors.lookedAt.get(shard) ?? null,
    checkedAt,
    imported: new Set(imported.get(userAgreement)?.map(placeOf)),
    movedClock,
  });
}

/** The chains that have a finding as they were read; the ledger may have changed meanwhile. */
function suspectsIn(
  work: Work,
  shard: string,
  said: readonly Anchor[],
  datingOf: (userAgreement: string) => Dating,
): Set<string> {
  const suspects = new Set<string>();
  const chains = new Map<string, ChainLine>();
  for (const text of work.read('chains', shard)) {
    const line = JSON.parse(text) as ChainLine;
    // A chain that was read in two parts.
    if (line.isWrong || chains.has(line.key)) suspects.add(line.key);
    chains.set(line.key, line);
    if (isMisdated(line, datingOf(line.key))) suspects.add(line.key);
  }
  const unpointed = new Set(chains.keys());
  for (const text of work.read('pointers', shard)) {
    const { key, digest } = JSON.parse(text) as PointerLine;
    unpointed.delete(key);
    if (chains.get(key)?.digest !== digest) suspects.add(key);
  }
  for (const key of unpointed) suspects.add(key);
  const hashes = new Map<string, ReadonlyMap<number, string>>();
  for (const { userAgreement, sequence, hash } of said) {
    const known = hashes.get(userAgreement) ?? new Map(chains.get(userAgreement)?.records.map(([at, is]) => [at, is]));
    hashes.set(userAgreement, known);
    if (known.get(sequence) !== hash) suspects.add(userAgreement);
  }
  return suspects;
}

function isMisdated({ records }: ChainLine, known: Dating): boolean {
  const places = records.map(([sequence, hash]) => ({ sequence, hash }));
  const dating = provedIn(places, known);
  return records.some(([sequence, hash, recordedAt, isImported]) => {
    return misdating({ sequence, hash, recordedAt, isImported }, dating) !== null;
  });
}
