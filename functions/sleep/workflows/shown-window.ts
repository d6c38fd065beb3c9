import { type Language, reasonIn, reasonsOf } from '../rules/texts.ts';
import type { Prescription, SleepWindow } from '../rules/window.ts';
import { currentRules } from '../rules/window-rules.ts';
import { type Standing, tonightOf } from './sleep-window.ts';

/** A sleep window as it is answered, with its reasons in the reader's language. */

function shownPrescription(prescription: Prescription, to: Language) {
  const { minutes, bedTime, risingTime, ruleVersion, week } = prescription;
  return { minutes, bedTime, risingTime, ruleVersion, because: reasonsOf(prescription, to), week };
}

export function shownWindow(window: SleepWindow, to: Language) {
  const { sequence, from, releasedAt } = window;
  return { sequence, from, releasedAt, ...shownPrescription(window, to) };
}

export function shownState(standing: Standing, now: Date, to: Language) {
  const { current, suspended, outlook } = standing;
  // Nothing can be released while it is suspended, however good the diary is.
  const waiting = outlook.waiting ?? suspended[0] ?? null;
  const held = suspended.length > 0 ? ('suspended' as const) : ('active' as const);
  return {
    status: current ? held : ('none' as const),
    window: current && shownWindow(current, to),
    tonight: tonightOf(standing, now),
    suspendedBecause: suspended.map(reasonIn(to)),
    next: {
      dueOn: outlook.dueOn,
      nights: outlook.nights,
      nightsNeeded: currentRules.nightsNeeded,
      waitingFor: waiting === null ? null : reasonIn(to)(waiting),
    },
  };
}

/** For whoever can release it. */
export function shownReview(standing: Standing, now: Date, to: Language) {
  const { proposal } = standing.outlook;
  const isHeld = standing.suspended.length > 0;
  return {
    ...shownState(standing, now, to),
    proposal: proposal && !isHeld ? { proposalId: proposal.proposalId, ...shownPrescription(proposal, to) } : null,
  };
}
