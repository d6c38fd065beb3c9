import { consumer } from '../../lib/contract/consumer.ts';
import { adjust, get, joined, read, replace } from '../../lib/contract/uses.ts';
import { Entitlements } from '../access-codes/tables.ts';
import { UserDirectory } from '../app-users/tables.ts';
import { QuestionnaireResponses } from '../questionnaire-responses/tables.ts';
import { SleepEntries } from '../sleep/tables.ts';
import { SupportTickets } from '../support/tables.ts';
import { OverviewEntries, OverviewFigures } from './tables.ts';

const counting = [
  read(OverviewEntries),
  replace(OverviewEntries),
  get(OverviewFigures),
  adjust(OverviewFigures),
] as const;

const impact = 'The overview lags behind; what it counts is untouched';

export const countUsers = consumer({
  summary: 'Counts users by state and week, for the overview',
  application: 'sleepcare',
  stream: UserDirectory,
  uses: joined([get(UserDirectory)], counting),
  windowSeconds: 1,
  retries: 10,
  rebuiltBy: 'rebuild-overview',
  impact,
});

export const countEntitlements = consumer({
  summary: 'Counts entitlements by their first and last day, for the overview',
  application: 'sleepcare',
  stream: Entitlements,
  uses: joined([get(Entitlements)], counting),
  windowSeconds: 1,
  retries: 10,
  rebuiltBy: 'rebuild-overview',
  impact,
});

export const countQuestionnaires = consumer({
  summary: 'Counts questionnaires that became due and that were completed, for the overview',
  application: 'sleepcare',
  stream: QuestionnaireResponses,
  uses: joined([get(QuestionnaireResponses)], counting),
  windowSeconds: 1,
  retries: 10,
  rebuiltBy: 'rebuild-overview',
  impact,
});

export const countSleepEntries = consumer({
  summary: 'Counts diary entries by week, for the overview',
  application: 'sleepcare',
  stream: SleepEntries,
  uses: joined([get(SleepEntries)], counting),
  windowSeconds: 1,
  retries: 10,
  rebuiltBy: 'rebuild-overview',
  impact,
});

export const countTickets = consumer({
  summary: 'Counts tickets by state, for the overview',
  application: 'sleepcare',
  stream: SupportTickets,
  uses: joined([get(SupportTickets)], counting),
  windowSeconds: 1,
  retries: 10,
  rebuiltBy: 'rebuild-overview',
  impact,
});
