import type { ReleaseWay } from '../rules/release.ts';
import type { Standing } from '../rules/standing.ts';
import { type Language, reasonIn, reasonsOf } from '../rules/texts.ts';
import { tonightOf } from '../rules/tonight.ts';
import type { Prescription, SleepWindow } from '../rules/window.ts';
import { currentRules } from '../rules/window-rules.ts';

/** A sleep window in the form of the answer, with its reasons in the reader's language. */

function shownPrescription(prescription: Prescription, to: Language) {
  const { minutes, bedTime, risingTime, ruleVersion, week } = prescription;
  return { minutes, bedTime, risingTime, ruleVersion, because: reasonsOf(prescription, to), week };
}

export function shownWindow(window: SleepWindow, to: Language) {
  const { sequence, from, releasedAt, by } = window;
  return { sequence, from, releasedAt, by, ...shownPrescription(window, to) };
}

/** @param reader the role of the reader: a patient sees only a proposal that the patient can release */
export function shownState(standing: Standing, now: Date, to: Language, reader: ReleaseWay) {
  const { current, status, suspended, suspensionId, outlook, releaser, measurements } = standing;
  const blocking = standing.blocking[reader];
  const isReaders = reader === 'physician' || (releaser.by === 'screening' && releaser.because.length === 0);
  const proposal = blocking.length === 0 && isReaders ? outlook.proposal : null;
  // Nothing can be released while the window is suspended, even if the diary is good enough.
  const waiting = outlook.waiting ?? blocking[0] ?? null;
  const { questionnaireId, version } = currentRules.screening;
  return {
    status,
    window: current && shownWindow(current, to),
    tonight: tonightOf(standing, to, now),
    suspendedBecause: suspended.map(reasonIn(to)),
    suspensionId,
    next: {
      dueOn: outlook.dueOn,
      nights: outlook.nights,
      nightsNeeded: currentRules.nightsNeeded,
      waitingFor: waiting === null ? null : reasonIn(to)(waiting),
    },
    release: {
      by: releaser.by,
      because: releaser.because.map((code) => reasonIn(to)(code)),
      screening: { questionnaireId, version },
      measurements: measurements.map((each) => ({ ...each })),
    },
    proposal: proposal && { proposalId: proposal.proposalId, ...shownPrescription(proposal, to) },
  };
}
