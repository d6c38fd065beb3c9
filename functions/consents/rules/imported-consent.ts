import { createHash } from 'node:crypto';
import type { ConsentState } from '../../access/consent-states.ts';
import { type Decision, decideAgreement, decideRevocation, type Shown } from './consent.ts';

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

/** A decision; or the line's record already exists; or the line does not fit, with the reason. */
export type Verdict = Decision | { outcome: 'there' } | { outcome: 'misfit'; says: string };

/** Follows only from the line, so that another run finds what the first one wrote. */
export function recordIdOf({ userId, agreementId, versionId, action, recordedAt, sourceId }: ImportedLine): string {
  const identity = JSON.stringify([userId, agreementId, versionId, action, recordedAt, sourceId]);
  return `imported-${createHash('sha256').update(identity).digest('hex').slice(0, 48)}`;
}

/**
 * The result of a line: a record after the chain's last one, at the line's own time, or nothing.
 *
 * @param latest the chain's last record
 * @param earlier the chain's last record that is not later than the line
 * @param ends of the account
 */
export function decideImport(
  { latest, earlier, ends }: { latest: ConsentState | null; earlier: ConsentState | null; ends: readonly string[] },
  line: ImportedLine,
  shown: Shown,
): Verdict {
  const recordId = recordIdOf(line);
  if (earlier?.recordId === recordId || latest?.recordId === recordId) return { outcome: 'there' };
  const isLate = latest !== null && line.recordedAt <= latest.recordedAt;
  const verdict = decideAfter(isLate ? earlier : latest, line, shown, untilThen(ends, line));
  if (!isLate || verdict.outcome === 'unchanged') return verdict;
  return misfit(
    `it is of ${line.recordedAt}, and this user's agreement has a record of ${latest.recordedAt}: a chain only grows, so its lines come in the order of their times, before anything newer`,
  );
}

/**
 * Like the live rules, except that a revocation without a consent and a revocation of another version are reported: a user
 * cannot make these.
 */
function decideAfter(
  state: ConsentState | null,
  { action, versionId }: ImportedLine,
  shown: Shown,
  ends: readonly string[],
): Verdict {
  if (action === 'agreed') return decideAgreement(state, shown, ends);
  if (state === null) return misfit('there is no consent before it that it would revoke');
  const decision = decideRevocation(state, ends);
  if (decision.outcome === 'unchanged') return decision;
  if (state.versionId !== versionId) return misfit(`it revokes ${versionId}, and the consent is to ${state.versionId}`);
  return { outcome: 'change', change: { ...decision.change, appVersion: shown.appVersion } };
}

/** For a line that is earlier than an end, that end had not happened yet. */
function untilThen(ends: readonly string[], { recordedAt }: ImportedLine): string[] {
  return ends.filter((end) => end <= recordedAt);
}

function misfit(says: string): Verdict {
  return { outcome: 'misfit', says };
}
