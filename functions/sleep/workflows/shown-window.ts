import { type Language, reasonIn } from '../rules/texts.ts';
import type { Prescription, SleepWindow } from '../rules/window.ts';
import { currentRules } from '../rules/window-rules.ts';
import { type Standing, tonightOf } from './sleep-window.ts';

/** A sleep window as it is answered, with its reasons in the reader's language. */

function shownPrescription({ minutes, bedTime, risingTime, ruleVersion, because, week }: Prescription, to: Language) {
  return { minutes, bedTime, risingTime, ruleVersion, because: because.map(reasonIn(to)), week };
}

export function shownWindow(window: SleepWindow, to: Language) {
  const { sequence, from, releasedAt } = window;
  return { sequence, from, releasedAt, ...shownPrescription(window, to) };
}

export function shownState(standing: Standing, now: Date, to: Language) {
  const { current, suspended, outlook } = standing;
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
      waitingFor: outlook.waiting === null ? null : reasonIn(to)(outlook.waiting),
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
