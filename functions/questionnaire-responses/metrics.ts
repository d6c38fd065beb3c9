import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** How many flags nobody has acknowledged, under the dimension `application`. */
export const openFlags = 'questionnaireFlagsOpen';

/** How many patients a run could not remind, under the dimension `application`. */
export const failedReminders = 'questionnaireRemindersFailed';

/** Each flag whose rows were not as they have to be, by the stream of the flags. */
export const flagsTampered = 'questionnaireFlagsTamperedWith';
/** Each flag that completed answers must have raised, and that was not there. */
export const flagsMissing = 'questionnaireFlagsMissing';
/** Each row of completed answers that was changed or removed. */
export const answersTampered = 'questionnaireAnswersTamperedWith';

export const metrics: DomainMetrics = {
  title: 'Flags and reminders of questionnaires',
  counters: {
    'flags not acknowledged': openFlags,
    'flags tampered with': flagsTampered,
    'flags missing': flagsMissing,
    'answers tampered with': answersTampered,
    'reminders failed': failedReminders,
  },
};
