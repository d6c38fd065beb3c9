import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { knownZone } from '../../users/rules.ts';
import { readLastWindow } from '../../window-runs/exports.ts';
import { missingOf } from '../rules/measurements.ts';
import type { Needed, PhysicianReason, ReleaseWay } from '../rules/release.ts';
import type { Standing } from '../rules/standing.ts';
import type { Suspension } from '../rules/suspension.ts';
import {
  type Changes,
  correctedPrescription,
  isAsReleased,
  isUnchanged,
  type Outlook,
  releasedPrescription,
} from '../rules/window.ts';
import { wallTime } from '../rules/zone.ts';
import {
  putWindow,
  putWithdrawal,
  type ReleasedTables,
  type WindowRow,
  type WithdrawnTables,
} from '../stores/window-rows.ts';
import { type SleepWindowTables as ReadTables, readStanding } from './sleep-window.ts';

/**
 * The decisions of a physician about a patient's sleep window, or of the patient after a screening. Each decision is
 * one row, and only one decision gets the next number.
 */

type ReleaseTables = ReadTables & ReleasedTables;

export type Release =
  | { readonly refused: null; readonly window: WindowRow }
  | { readonly refused: 'suspended'; readonly because: readonly Suspension[] }
  | { readonly refused: 'physician'; readonly because: readonly PhysicianReason[] }
  | { readonly refused: 'screening'; readonly because: readonly Needed[]; readonly missing: readonly string[] }
  | { readonly refused: 'not-confirmed'; readonly missing: readonly string[] }
  | { readonly refused: 'not-seen'; readonly because: readonly Suspension[]; readonly suspensionId: string }
  | { readonly refused: 'changed'; readonly proposalId: string | null }
  | { readonly refused: 'not-due'; readonly outlook: Outlook };

export type Withdrawal =
  | { readonly withdrawn: WindowRow }
  | { readonly withdrawn: null; readonly proposalId: string | null };

type Decided = {
  readonly userId: string;
  readonly releasedBy: string;
  readonly now: Date;
};

/** The questionnaires without an answer that a physician has confirmed. */
type Confirming = { readonly confirmed: readonly string[] };

type ReleaseRequest = Decided &
  Confirming & { readonly proposalId: string; readonly changes: Changes; readonly by: ReleaseWay };

/**
 * Releases the proposal once. If two physicians release it, the second one gets the same window, or an error if another
 * window was released.
 *
 * @throws a Failure `UNAVAILABLE` if the contention lasts longer than the attempts
 */
export async function releaseWindow(
  tables: ReleaseTables,
  { userId, releasedBy, proposalId, changes, by, confirmed, now }: ReleaseRequest,
): Promise<Release> {
  return retryOnContention<Release>(async () => {
    const standing = await readStanding(tables, { userId, now });
    const { last, behind, current, status, suspended, releaser, screened, outlook, today, zone } = standing;
    const blocking = standing.blocking[by];
    if (current?.proposalId === proposalId) {
      if (!isAsReleased(current, changes) || status === 'ended') {
        return { refused: 'changed', proposalId: outlook.proposal?.proposalId ?? null };
      }
      // The times of a window that has been suspended since then are not shown.
      if (suspended.length > 0) return { refused: 'suspended', because: suspended };
      return { refused: null, window: current };
    }
    if (blocking.length > 0) return { refused: 'suspended', because: blocking };
    if (by === 'screening') {
      if (releaser.by === 'physician') return { refused: 'physician', because: releaser.because };
      if (releaser.because.length > 0) {
        return { refused: 'screening', because: releaser.because, missing: missingOf(standing.measurements) };
      }
    }
    const { proposal } = outlook;
    if (!proposal || today === null || zone === null) return { refused: 'not-due', outlook };
    if (proposal.proposalId !== proposalId) return { refused: 'changed', proposalId: proposal.proposalId };
    const missing = by === 'physician' ? unconfirmed(standing, confirmed) : [];
    if (missing.length > 0) return { refused: 'not-confirmed', missing };
    const { minutes, risingTime } = proposal;
    const window: WindowRow = {
      ...releasedPrescription(proposal, changes),
      ...{ proposalId, proposed: { minutes, risingTime }, replaces: null, isWithdrawn: false, by },
      screening: by === 'screening' && screened ? { responseId: screened.responseId, version: screened.version } : null,
      sequence: (last?.sequence ?? 0) + 1,
      from: today,
      ...runOf(standing, today, by),
      ...{ zone, releasedAt: now.toISOString(), releasedBy },
    };
    return (await putWindow(tables, userId, window, behind)) ? { refused: null, window } : contended;
  });
}

/** What the next row says about the run of windows and about the signs. A physician's decision counts from the beginning. */
function runOf({ current, isFirst, sleepySuspensions, ...signs }: Standing, from: string, by: ReleaseWay) {
  return {
    startedOn: isFirst || !current ? from : current.startedOn,
    ...{ sleepyAt: signs.sleepyAt, lowMoodAt: signs.lowMoodAt, excludedAt: signs.excludedAt },
    sleepySuspensions: by === 'physician' ? 0 : sleepySuspensions,
  };
}

function unconfirmed({ measurements }: Standing, confirmed: readonly string[]): string[] {
  return missingOf(measurements).filter((questionnaireId) => !confirmed.includes(questionnaireId));
}

/**
 * Replaces the window with this number by other times, from today on, before its week is over. A repeated request
 * returns the window that replaced it. Where the window is suspended, the physician must have seen what suspends it.
 *
 * @throws a Failure `UNAVAILABLE` if the contention lasts longer than the attempts
 */
export async function replaceWindow(
  tables: ReleaseTables,
  {
    userId,
    releasedBy,
    replaces,
    changes,
    confirmed,
    suspensionId,
    now,
  }: Decided & Confirming & { replaces: number; changes: Changes; suspensionId: string | null },
): Promise<Release> {
  return retryOnContention<Release>(async () => {
    const standing = await readStanding(tables, { userId, now });
    const { behind, current, status, suspended, outlook, today, zone } = standing;
    const blocking = standing.blocking.physician;
    const isNamed = current?.sequence === replaces || current?.replaces === replaces;
    const isAsked = current !== null && isNamed && status !== 'ended' && isUnchanged(current, changes);
    // If something has suspended the window since then, the physician may decide to prescribe the same times again.
    if (isAsked && suspended.length === 0) return { refused: null, window: current };
    if (isAsked && current.sequence !== replaces) return { refused: 'suspended', because: suspended };
    if (!current || current.sequence !== replaces || status === 'ended') {
      return { refused: 'changed', proposalId: outlook.proposal?.proposalId ?? null };
    }
    if (blocking.length > 0) return { refused: 'suspended', because: blocking };
    const present = standing.suspensionId;
    if (present !== null && present !== suspensionId) {
      return { refused: 'not-seen', because: suspended, suspensionId: present };
    }
    const missing = unconfirmed(standing, confirmed);
    if (missing.length > 0) return { refused: 'not-confirmed', missing };
    const { proposalId, proposed } = current;
    const from = today ?? current.from;
    const window: WindowRow = {
      ...correctedPrescription(current, changes),
      ...{ proposalId, proposed, replaces, isWithdrawn: false, by: 'physician', screening: null },
      sequence: replaces + 1,
      from,
      ...runOf(standing, from, 'physician'),
      ...{ zone: zone ?? current.zone, releasedAt: now.toISOString(), releasedBy },
    };
    return (await putWindow(tables, userId, window, behind)) ? { refused: null, window } : contended;
  });
}

/**
 * Withdraws the window with this number, even if it is suspended or over, whatever the diary and the answers say. From then
 * on nothing is prescribed, and the next proposal is a first one. A repeated request gets the same answer.
 *
 * @throws a Failure `UNAVAILABLE` if the contention lasts longer than the attempts
 */
export async function withdrawWindow(
  tables: ReadTables & WithdrawnTables,
  { userId, releasedBy, replaces, now }: Decided & { replaces: number },
): Promise<Withdrawal> {
  return retryOnContention<Withdrawal>(async () => {
    const { window: last, behind } = await readLastWindow<WindowRow>(tables.SleepWindows, userId);
    if (last?.isWithdrawn && last.replaces === replaces) return { withdrawn: last };
    if (!last || last.isWithdrawn || last.sequence !== replaces) {
      const { outlook } = await readStanding(tables, { userId, now });
      return { withdrawn: null, proposalId: outlook.proposal?.proposalId ?? null };
    }
    const zone = knownZone(last.zone) ?? 'UTC';
    const window: WindowRow = {
      ...last,
      ...{ replaces, isWithdrawn: true, sequence: replaces + 1, by: 'physician', screening: null },
      from: wallTime(now.getTime(), zone).date,
      ...{ zone, releasedAt: now.toISOString(), releasedBy },
    };
    return (await putWithdrawal(tables, userId, window, behind)) ? { withdrawn: window } : contended;
  });
}
