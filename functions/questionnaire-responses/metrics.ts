import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** How many flags nobody has acknowledged, under the dimension `application`. */
export const openFlags = 'questionnaireFlagsOpen';

/** How many patients a run could not remind, under the dimension `application`. */
export const failedReminders = 'questionnaireRemindersFailed';

export const metrics: DomainMetrics = {
  title: 'Flags and reminders of questionnaires',
  counters: { 'flags not acknowledged': openFlags, 'reminders failed': failedReminders },
};
