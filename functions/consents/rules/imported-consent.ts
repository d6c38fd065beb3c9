import { createHash } from 'node:crypto';
import { type ConsentState, type Decision, decideAgreement, decideRevocation, type Shown } from './consent.ts';

/** The rules of consents that another system kept (decision 26). Pure. */

export type ImportedLine = {
  userId: string;
  agreementId: string;
  versionId: string;
  action: 'agreed' | 'revoked';
  /** The original time. */
  recordedAt: string;
  /** What the other system calls it. */
  sourceId: string | null;
};

/** Beside a decision: the line's record is there already, or it does not fit, and why. */
export type Verdict = Decision | { outcome: 'there' } | { outcome: 'misfit'; says: string };

/** Follows from the line alone, so that another run finds what the first one wrote. */
export function recordIdOf({ userId, agreementId, versionId, action, recordedAt, sourceId }: ImportedLine): string {
  const identity = JSON.stringify([userId, agreementId, versionId, action, recordedAt, sourceId]);
  return `imported-${createHash('sha256').update(identity).digest('hex').slice(0, 48)}`;
}

/**
 * What becomes of a line: a record behind the chain's last one, at the line's own time, or nothing.
 *
 * @param latest the chain's last record
 * @param earlier its last one that is not later than the line
 */
export function decideImport(
  { latest, earlier }: { latest: ConsentState | null; earlier: ConsentState | null },
  line: ImportedLine,
  shown: Shown,
): Verdict {
  const recordId = recordIdOf(line);
  if (earlier?.recordId === recordId || latest?.recordId === recordId) return { outcome: 'there' };
  const isLate = latest !== null && line.recordedAt <= latest.recordedAt;
  const verdict = decideAfter(isLate ? earlier : latest, line, shown);
  if (!isLate || verdict.outcome === 'unchanged') return verdict;
  return misfit(
    `it is of ${line.recordedAt}, and this user's agreement has a record of ${latest.recordedAt}: a chain only grows, so its lines come in the order of their times, before anything newer`,
  );
}

/** As the live rules, but that a revocation of nothing and one of another version are told: there, users made none. */
function decideAfter(state: ConsentState | null, { action, versionId }: ImportedLine, shown: Shown): Verdict {
  if (action === 'agreed') return decideAgreement(state, shown);
  if (state === null) return misfit('there is no consent before it that it would revoke');
  const decision = decideRevocation(state);
  if (decision.outcome === 'unchanged') return decision;
  if (state.versionId !== versionId) return misfit(`it revokes ${versionId}, and the consent is to ${state.versionId}`);
  return { outcome: 'change', change: { ...decision.change, appVersion: shown.appVersion } };
}

function misfit(says: string): Verdict {
  return { outcome: 'misfit', says };
}
