import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOfUser } from '../../../lib/runtime/log.ts';
import { listVersions } from '../../../lib/runtime/objects.ts';
import { shownText } from '../../evidence/rules.ts';
import { checkpointsPrefix } from '../rules/checkpoint.ts';
import type { Finding } from '../rules/finding.ts';
import { type Verification, verifyLedger } from './verify-ledger.ts';

/** The check as a function runs it: it either ends within its time, or counts as not done. */

type Checking = Omit<
  Verification,
  'directory' | 'segments' | 'found' | 'progress' | 'freshSince' | 'withoutCheckpoint'
>;

/** The ledger is too large for the function: `npm run cli -- verify-ledger` has no time limit. */
class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

const enoughMs = 30_000;
const segments = 8;
/** A checkpoint is written every hour. */
const staleMs = 3 * 3_600_000;
/** So many findings of a kind are kept for people, so that none hides those of another one; all are counted. */
const mostOfKind = 20;

type Kept = { readonly lines: string[]; count: number };

/** @throws NotChecked if the time is over before the end; findings until then are in no message */
export async function checkAll(checking: Checking, remainingMs: () => number) {
  const directory = mkdtempSync(join(tmpdir(), 'check-ledger-'));
  const byKind = new Map<string, Kept>();
  const note = (finding: Finding) => {
    const ofKind = byKind.get(finding.kind) ?? { lines: [], count: 0 };
    byKind.set(finding.kind, ofKind);
    ofKind.count += 1;
    if (ofKind.count <= mostOfKind) ofKind.lines.push(lineOf(finding));
  };
  let isOver = false;
  const goOn = () => {
    isOver ||= remainingMs() < enoughMs;
    if (isOver) throw new NotChecked();
  };
  try {
    const now = checking.now?.() ?? new Date();
    const { records, chains, checkpoints, findings } = await verifyLedger({
      ...checking,
      directory: join(directory, 'work'),
      segments,
      // In its first hour an environment has no checkpoint.
      withoutCheckpoint: !(await hasCheckpoints(checking)),
      freshSince: new Date(now.getTime() - staleMs),
      found: note,
      progress: goOn,
    });
    return { records, chains, checkpoints, findings, lines: linesOf(byKind) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function hasCheckpoints({ evidence }: Checking): Promise<boolean> {
  for await (const _ of listVersions(evidence, checkpointsPrefix)) return true;
  return false;
}

/** The first of each kind, and then the rest, rare kinds first: whoever floods one does not push others out of the message. */
function linesOf(byKind: ReadonlyMap<string, Kept>): string[] {
  const kinds = [...byKind.values()].toSorted((one, other) => one.count - other.count);
  const first = kinds.flatMap(({ lines, count }) => (count > 1 ? [`${lines[0]} (${count} of this kind)`] : lines));
  return [...first, ...kinds.flatMap(({ lines }) => lines.slice(1))];
}

/** Without the user's id, because the line goes into a log and a mail. */
function lineOf({ kind, userId, agreementId, recordedAt, sequence, says }: Finding): string {
  if (userId === null) return `${kind}: ${says}`;
  const agreement = shownText(agreementId ?? '?');
  return `${kind}: user ${hashOfUser(userId)}, agreement ${agreement}, record ${sequence ?? '?'} of ${shownText(recordedAt ?? '?')}`;
}
