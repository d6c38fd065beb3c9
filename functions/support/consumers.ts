import { Accounts } from '../../lib/contract/accounts.ts';
import { readBelow } from '../../lib/contract/bucket-uses.ts';
import { consumer, untilTooOld } from '../../lib/contract/consumer.ts';
import { StaffAccounts } from '../../lib/contract/staff-accounts.ts';
import {
  append,
  batch,
  check,
  discard,
  eventBus,
  get,
  joined,
  read,
  replace,
  scan,
  tellOperators,
} from '../../lib/contract/uses.ts';
import { ConsentRecords, ConsentStates, consentInDoubtMeans } from '../access/consent-states.ts';
import { CareRelations } from '../access/data-subject.ts';
import { SiteStaff, Sites } from '../crm-sites/tables.ts';
import { begunPrefix, decisionsPrefix, Evidence, requestsPrefix } from '../evidence/buckets.ts';
import {
  FlagDecisions,
  QuestionnaireEvidence,
  QuestionnaireFlags,
  QuestionnaireResponses,
} from '../questionnaire-responses/tables.ts';
import { Questionnaires } from '../questionnaires/tables.ts';
import { answersDiffer, flagsDiffer, overdueTickets, unacknowledgedTickets } from './metrics.ts';
import { SupportTickets, UrgentTickets } from './tables.ts';

export const openUrgentTickets = consumer({
  summary: 'Opens an urgent ticket for each flag that a questionnaire raised',
  application: 'medinfo',
  stream: QuestionnaireFlags,
  uses: [
    get(FlagDecisions),
    read(CareRelations),
    get(ConsentStates),
    read(ConsentRecords),
    get(Accounts),
    check(Accounts),
    read(UrgentTickets),
    replace(UrgentTickets),
    get(Sites),
    read(SiteStaff),
    batch(StaffAccounts),
  ],
  retries: untilTooOld,
  sounds: {
    consentsInDoubt: consentInDoubtMeans,
  },
  impact:
    "A patient's site gets no ticket for an answer that a person must look at; the list of flags and its alarm still work",
});

export const publishTicketEvents = consumer({
  summary: 'Tells other services of tickets and their states',
  application: 'sleepcare',
  stream: SupportTickets,
  uses: [eventBus('publish')],
  retries: untilTooOld,
  impact: 'Other services do not learn of tickets and their states; the tickets themselves are untouched',
});

export const publishUrgentTicketEvents = consumer({
  summary: 'Tells other services of urgent tickets',
  application: 'medinfo',
  stream: UrgentTickets,
  uses: [eventBus('publish')],
  retries: untilTooOld,
  impact: 'Other services do not learn of urgent tickets; the lists of them and their alarm still work',
});

export const watchUrgentTickets = consumer({
  summary:
    'Hands urgent tickets that nobody at the site may see any more over to clinical safety, and counts what nobody has acknowledged, for the alarm',
  application: 'medinfo',
  schedule: 'rate(5 minutes)',
  uses: [
    read(UrgentTickets),
    replace(UrgentTickets),
    read(CareRelations),
    get(ConsentStates),
    read(ConsentRecords),
    get(Accounts),
    get(Sites),
    read(SiteStaff),
    batch(StaffAccounts),
  ],
  alarm: {
    metric: unacknowledgedTickets,
    impact:
      'Nobody has looked at an answer that a person must look at, and no site takes care of it; it may come from ' +
      'somebody who thinks of self-harm',
  },
  impact:
    'The alarm for urgent tickets is not updated, and a ticket that a site may not see any more comes to clinical safety up to an hour late; the list of flags has its flag',
});

const compares = [
  read(QuestionnaireFlags),
  append(QuestionnaireFlags),
  discard(QuestionnaireFlags),
  check(QuestionnaireFlags),
  scan(QuestionnaireFlags),
  read(QuestionnaireResponses),
  read(Questionnaires),
  get(FlagDecisions),
  append(QuestionnaireEvidence),
  read(UrgentTickets),
  replace(UrgentTickets),
  scan(UrgentTickets),
  get(Accounts),
  check(Accounts),
  read(CareRelations),
  get(ConsentStates),
  read(ConsentRecords),
  get(Sites),
  read(SiteStaff),
  batch(StaffAccounts),
  readBelow(Evidence, requestsPrefix),
  readBelow(Evidence, decisionsPrefix),
  readBelow(Evidence, begunPrefix),
  tellOperators(),
] as const;

/** The second net, below the watchers of the streams. */
export const compareFlags = consumer({
  summary: 'Compares flags that are not cleared, and urgent tickets, with each other and with their answers',
  application: 'medinfo',
  schedule: 'rate(15 minutes)',
  uses: compares,
  alarm: {
    metric: flagsDiffer,
    impact:
      'A flag or its urgent ticket was missing, changed or unreadable, and no watcher of a stream had put it back: an ' +
      'answer that a person must look at could have been hidden',
  },
  impact: 'Flags and urgent tickets that differ are found only once a day',
});

/** The third net. */
export const compareAllFlags = consumer({
  summary: 'Compares all completed answers, flags and urgent tickets with each other',
  application: 'medinfo',
  schedule: 'rate(1 day)',
  uses: joined(compares, [scan(QuestionnaireResponses)]),
  alarm: {
    metric: answersDiffer,
    impact:
      'Completed answers lacked their flag, or differed from their scores, or a flag lacked its ticket, and nothing else had found it',
  },
  impact: 'Completed answers without their flag would be found only by the watcher of the stream',
});

export const watchTickets = consumer({
  summary: 'Counts the tickets that are overdue, for the alarm, and closes those that were solved 14 days ago',
  application: 'medinfo',
  schedule: 'rate(5 minutes)',
  uses: [read(SupportTickets), batch(SupportTickets), replace(SupportTickets), batch(Accounts)],
  alarm: { metric: overdueTickets, impact: 'Patients wait longer for the support than they should' },
  impact:
    'The alarm for overdue tickets is not updated, and solved tickets stay on the list of solved tickets; ' +
    'patients notice nothing',
});
