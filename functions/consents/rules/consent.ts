import { endAfter } from '../../../lib/contract/accounts.ts';
import { isRecordTime } from '../../../lib/contract/instant.ts';
import type { ConsentState } from '../../access/consent-states.ts';

/**
 * The consent rules (the specification's state machine; decision 2). Pure: the known state goes in, and the record to
 * be written comes out.
 */

/** What the user was shown, and by which app. */
export type Shown = {
  versionId: string;
  contentHash: string;
  locale: string;
  localeSource: 'stated' | 'negotiated';
  appVersion: string | null;
};

/** The content of a new record, without its user, its agreement and its place in the chain. */
export type Change = Shown & { action: 'agreed' | 'revoked' };

/** Either the state is already the requested one, since `at` (null: it was never different), or a new record is needed. */
export type Decision = { outcome: 'unchanged'; at: string | null } | { outcome: 'change'; change: Change };

/** @param ends of the account: a consent from before one of them has ended, and the user is asked again */
export function decideAgreement(state: ConsentState | null, shown: Shown, ends: readonly string[]): Decision {
  const isAgreed = state?.action === 'agreed' && endAfter(state.recordedAt, ends) === null;
  if (isAgreed && state.versionId === shown.versionId) {
    return { outcome: 'unchanged', at: state.recordedAt };
  }
  return { outcome: 'change', change: { ...shown, action: 'agreed' } };
}

/** Only for an optional agreement: the handler refuses a required one. */
export function decideRevocation(state: ConsentState | null, ends: readonly string[]): Decision {
  if (state === null) return { outcome: 'unchanged', at: null };
  if (state.action === 'revoked') return { outcome: 'unchanged', at: state.recordedAt };
  const endedAt = endAfter(state.recordedAt, ends);
  if (endedAt !== null) return { outcome: 'unchanged', at: endedAt };
  const { versionId, contentHash, locale, localeSource } = state;
  return {
    outcome: 'change',
    change: { versionId, contentHash, locale, localeSource, appVersion: null, action: 'revoked' },
  };
}

/**
 * The time of the record that follows: now, but always after its predecessor, whatever the clock does (two calls in one
 * millisecond, a clock that steps back). The sort key of the ledger depends on it.
 */
export function nextRecordedAt(previous: string | null, now: Date): string {
  const earliest = previous === null ? Number.NEGATIVE_INFINITY : Date.parse(previous) + 1;
  return new Date(Math.max(now.getTime(), earliest)).toISOString();
}

/** The current consent as the list shows it. */
export function consentOf(stored: ConsentState | null, ends: readonly string[]) {
  // A pointer of another time opens nothing.
  const state = stored && isRecordTime(stored.recordedAt) ? stored : null;
  const endedAt = state && endAfter(state.recordedAt, ends);
  const agreed = state?.action === 'agreed' && endedAt === null;
  return {
    agreed,
    agreedVersionId: agreed ? state.versionId : null,
    agreedAt: agreed ? state.recordedAt : null,
    revokedAt: state?.action === 'revoked' ? state.recordedAt : null,
    endedAt,
  };
}
