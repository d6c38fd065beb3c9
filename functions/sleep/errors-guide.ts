import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  SleepEntryNotFound: {
    when: 'The diary has no entry of this date, or it was deleted. A `PUT` answers this if another phone deleted the entry after this one was recorded. A text that is not a date gives the same answer.',
    client: 'Remove the entry from the phone, too.',
  },
  SleepWindowNotDue: {
    when: 'Fewer than five of the last seven days have an entry (`TOO_FEW_NIGHTS`), the week of the present window is not over (`WEEK_NOT_OVER`), or there is no diary (`NO_DIARY`).',
    client: 'Show the reason. The window does not change.',
    example: { waitingFor: 'TOO_FEW_NIGHTS', nights: 4, dueOn: '2026-11-22' },
  },
  SleepWindowChanged: {
    when: 'The diary changed after the proposal was read, or another physician released, replaced or withdrew a sleep window in the meantime. `proposalId` is the present proposal, or null.',
    client: "Read the patient's sleep window again and show the present proposal.",
    example: { proposalId: '0c4b5b7d-8a1f-8e0f-8a3c-2d1e6f7a8b9c' },
  },
  SleepWindowByPhysician: {
    when:
      "The patient's programmes do not permit a release after a screening (`PROGRAMME_BY_PHYSICIAN`), the patient " +
      'is below 18 or has not stated the year of birth (`UNDER_AGE`), a physician ' +
      'withdrew the last window (`WITHDRAWN_BY_PHYSICIAN`), the window is below five or above nine hours ' +
      '(`BEYOND_BOUNDS`), an answer of the screening excludes it (`SCREENING_EXCLUDES`), PHQ-9 is 20 or more ' +
      '(`MOOD_NEEDS_PHYSICIAN`), or sleepiness has suspended two windows since a physician last released one (`SLEEPY_AGAIN`).',
    client: 'Say that a physician will look at it. The present window stays.',
    example: { because: ['SCREENING_EXCLUDES'] },
  },
  SleepScreeningNeeded: {
    when: 'The screening was not completed in this version, or its answers are too old to count.',
    client: 'Show the questionnaire, and release the window again when it is completed.',
    example: { questionnaireId: 'sleep-window-screening', version: '2.0' },
  },
  SleepMeasurementNeeded: {
    when: 'The Epworth Sleepiness Scale was not answered in the last 7 days, or PHQ-9 not in the last 28 days. `detail` names what is missing.',
    client: 'Show these questionnaires, and release the window again when they are completed.',
    example: { questionnaireIds: ['ess'] },
  },
  SleepMeasurementNotConfirmed: {
    when: 'A questionnaire is not answered, or its answer is too old (`release.measurements`), and `confirmNotAnswered` does not name it.',
    client:
      'Show the physician what is not answered, and send it in `confirmNotAnswered` after the physician has confirmed it.',
    example: { questionnaireIds: ['ess', 'phq-9'] },
  },
  SleepSuspensionNotConfirmed: {
    when:
      'A physician replaces a suspended window, and `suspensionId` is missing or is not the present one: a sign came after the physician had read the window. ' +
      '`because` names what suspends it now.',
    client:
      'Show the physician why the window is suspended, and send the present `suspensionId` after the physician has decided.',
    example: { because: ['SLEEPINESS'], suspensionId: '5e0c8a3f-1b2d-8c4e-8f60-7a8b9c0d1e2f' },
  },
  SleepWindowSuspended: {
    when:
      'The patient is too sleepy by the Epworth Sleepiness Scale or by the diary (`SLEEPINESS`), or a flag is not cleared (`OPEN_FLAG`; `FLAG_SEEN` after it was acknowledged, `FLAG_NOT_REACHED` if nobody could reach the patient). ' +
      'Sleepiness does not stop a physician. Or a release is repeated, and the released window is suspended by now: `because` has all of its reasons.',
    client:
      'Resolve the cause first. A score of 10 or less at least three days later ends the sleepiness, the outcome `cleared` ends a flag.',
    example: { because: ['SLEEPINESS'] },
  },
};
