import type { ConsentRecords, ConsentStates } from '../../access/consent-states.ts';
import { partitionOf } from '../../consents/rules.ts';
import { checkChain, recordsIn } from '../rules/chain-check.ts';
import type { Checkpoint } from '../rules/checkpoint.ts';
import { datedIn, type Witness } from '../rules/dating.ts';
import { type Finding, isChainName, type StoredPointer, type StoredRecord } from '../rules/finding.ts';
import { type Leaf, shardOf, shards } from '../rules/leaf.ts';
import type { Manifest } from '../rules/manifest.ts';
import { pointerDigest, recordDigest } from '../rules/pointer-check.ts';
import { runWorkers } from './run-workers.ts';
import { type Anchors, readAnchors } from './verify-anchors.ts';
import { type Ledger, unlessUnreadable } from './verify-chain.ts';
import { readManifests } from './verify-imports.ts';
import { type ChainLine, compareShard, type PointerLine } from './verify-shard.ts';
import { walk } from './verify-walk.ts';
import { readWitnesses } from './verify-witnesses.ts';
import { openWork, type Work } from './verify-work.ts';

export type Verification = Ledger & {
  readonly tables: {
    readonly ConsentRecords: ConsentRecords<'scan'>;
    readonly ConsentStates: ConsentStates<'scan'>;
  };
  readonly environment: string;
  /** For intermediate files; with the same folder a check continues where a killed one stopped. */
  readonly directory: string;
  readonly segments: number;
  /** Compares with no checkpoint: then a completely rewritten ledger passes. */
  readonly withoutCheckpoint?: boolean;
  /** If the newest checkpoint is older, that is a finding: nothing proves the records after it. */
  readonly freshSince?: Date;
  /** The time machine was used: then the dates of records are not checked. Not for an environment without a time machine. */
  readonly movedClock?: boolean;
  /** Real time. */
  readonly now?: () => Date;
  /** How much work a kill may lose, as a time. */
  readonly saveMs?: number;
  /** Gets each finding, including those of an earlier check that this one continues. */
  readonly found: (finding: Finding) => void;
  /** Progress lines for the person who waits, at most one a second. */
  readonly progress?: (line: string) => void;
};

export type Verdict = {
  readonly records: number;
  readonly chains: number;
  readonly pointers: number;
  readonly findings: number;
  readonly checkpoints: number;
  /** Records after its time could have been rewritten completely, and this check would not see it. */
  readonly newest: Checkpoint | null;
  /** Who imported what, according to the signed manifests. */
  readonly imports: readonly Manifest[];
  readonly seconds: number;
};

/**
 * Checks every chain, every pointer and every checkpoint. @throws an Error if it could not check: nothing answers, or there
 * is no checkpoint
 */
export async function verifyLedger(verification: Verification): Promise<Verdict> {
  const { tables, environment, directory, segments, found, retentionYears } = verification;
  const { withoutCheckpoint = false, movedClock = false } = verification;
  const began = performance.now();
  const scope = `${withoutCheckpoint ? ', without checkpoints' : ''}${movedClock ? ', of a moved clock' : ''}`;
  const subject = `${environment}, ${tables.ConsentRecords.name}, ${tables.ConsentStates.name}, ${retentionYears} years${scope}`;
  const work = openWork(directory, subject, segments);
  const known = new Set(work.findings().map((finding) => JSON.stringify(finding)));
  const tell = (finding: Finding) => {
    if (known.has(JSON.stringify(finding))) return;
    work.found(finding);
    found(finding);
  };
  for (const finding of work.findings()) found(finding);
  const anchors = withoutCheckpoint ? none : await spoolAnchors(verification, work, tell);
  if (!withoutCheckpoint && !anchors.newest) throw new Error(noCheckpoint);
  const imports = await spoolImports(verification, work, tell);
  await spoolWitnesses(verification, work, anchors);
  await spoolLedger(verification, work, began);
  await compareShards(verification, work, anchors, tell);
  work.discard();
  const seconds = (performance.now() - began) / 1000;
  return { ...work.counts, checkpoints: anchors.count, newest: anchors.newest, imports, seconds };
}

const none: Anchors = { newest: null, snapshots: [], lookedAt: new Map(), readings: [], count: 0 };
const noCheckpoint =
  'there is no checkpoint to rely on: --without-checkpoint checks only chains and pointers, and a ledger that was rewritten as a whole passes that check';

/** Read again at each start: there may be more of them by now. */
function spoolAnchors(verification: Verification, work: Work, tell: (finding: Finding) => void) {
  const { evidence, keys, environment, freshSince } = verification;
  work.forget('anchors');
  return readAnchors({
    evidence,
    keys,
    environment,
    ...(freshSince && { freshSince }),
    found: tell,
    onLeaf: (leaf) => work.append('anchors', shardOf(leaf.userAgreement), JSON.stringify(leaf)),
  });
}

function spoolImports({ evidence, importKeys, environment }: Verification, work: Work, tell: (found: Finding) => void) {
  work.forget('imports');
  const onLeaf = (leaf: Leaf) => work.append('imports', shardOf(leaf.userAgreement), JSON.stringify(leaf));
  return readManifests({ evidence, keys: importKeys, environment, found: tell, onLeaf });
}

function spoolWitnesses({ evidence }: Verification, work: Work, { readings }: Anchors) {
  work.forget('witnesses');
  const onWitness = (witness: Witness) =>
    work.append('witnesses', shardOf(witness.userAgreement), JSON.stringify(witness));
  return readWitnesses({ evidence, readings, onWitness });
}

const defaultSaveMs = 2000;
/** So many at once: each waits for S3 most of its time. */
const comparisons = 4;

async function compareShards(ledger: Verification, work: Work, anchors: Anchors, tell: (finding: Finding) => void) {
  const since = ticking(ledger.progress);
  const save = every(ledger.saveMs ?? defaultSaveMs, work.save);
  const now = ledger.now ?? (() => new Date());
  const { compared } = work;
  // If a checkpoint was written after a check was killed, the shards of that check were not compared with it.
  const checkpoint = anchors.newest?.number ?? null;
  if (compared.checkpoint !== checkpoint) Object.assign(compared, { shards: [], checkpoint });
  const left = shards.filter((shard) => !compared.shards.includes(shard)).values();
  await runWorkers(comparisons, async (_, signal) => {
    for (const shard of left) {
      const findings = await compareShard(
        { work, ledger, anchors, movedClock: ledger.movedClock ?? false, now },
        shard,
      );
      if (signal.aborted) return;
      for (const finding of findings) tell(finding);
      compared.shards.push(shard);
      save();
      since(() => `compared ${compared.shards.length} of ${shards.length} shards`);
    }
  });
  work.save();
}

async function spoolLedger(
  { tables, progress, saveMs = defaultSaveMs }: Verification,
  work: Work,
  began: number,
): Promise<void> {
  const { counts, walks } = work;
  const before = counts.records;
  const since = ticking(progress);
  const save = every(saveMs, work.save);
  const onPage = () => {
    since(() => {
      const rate = Math.round((counts.records - before) / ((performance.now() - began) / 1000));
      return `read ${counts.records} records of ${counts.chains} chains, ${counts.pointers} pointers (${rate} records/s)`;
    });
    save();
  };
  await walk({
    table: tables.ConsentRecords,
    keyNames: ['userAgreement', 'recordedAt'],
    positions: walks.records,
    groupOf: ({ userAgreement }) => String(userAgreement),
    onGroup: (key, records) => {
      counts.chains += 1;
      counts.records += records.length;
      work.append('chains', shardOf(key), JSON.stringify(chainLine(key, records)));
    },
    onPage,
  });
  await walk({
    table: tables.ConsentStates,
    keyNames: ['userId', 'agreementId'],
    positions: walks.states,
    groupOf: keyOf,
    onGroup: (key, pointers) => {
      counts.pointers += 1;
      for (const pointer of pointers) work.append('pointers', shardOf(key), JSON.stringify(pointerLine(pointer)));
    },
    onPage,
  });
  work.save();
}

/** A chain that cannot be read is read once more, by itself. */
function chainLine(key: string, rows: readonly StoredRecord[]): ChainLine {
  return unlessUnreadable(() => lineOf(key, rows)) ?? { key, digest: '', records: [], isWrong: true };
}

function lineOf(key: string, rows: readonly StoredRecord[]): ChainLine {
  const isWrong = !isChainName(key) || checkChain(key, rows).length > 0;
  const records = recordsIn(rows);
  const dated = records.map((record) => {
    const { sequence, hash, recordedAt, isImported } = datedIn(record);
    return [sequence, hash, recordedAt, isImported] as const;
  });
  return { key, digest: recordDigest(records.at(-1) ?? {}), records: dated, isWrong };
}

function pointerLine(pointer: StoredPointer): PointerLine {
  return { key: keyOf(pointer), digest: unlessUnreadable(() => pointerDigest(pointer)) ?? '' };
}

function keyOf({ userId, agreementId }: StoredPointer): string {
  return partitionOf({ userId: String(userId), agreementId: String(agreementId) });
}

/** A line is made only when one is due. */
function ticking(progress: ((line: string) => void) | undefined): (line: () => string) => void {
  let line = () => '';
  const tell = every(1000, () => progress?.(line()));
  return (next) => {
    line = next;
    tell();
  };
}

function every(milliseconds: number, act: () => void): () => void {
  let last = performance.now();
  return () => {
    if (performance.now() - last < milliseconds) return;
    last = performance.now();
    act();
  };
}
