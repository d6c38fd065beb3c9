import { Accounts } from '../../lib/contract/accounts.ts';
import { consumer, twentyThreeHours, untilTooOld } from '../../lib/contract/consumer.ts';
import { StaffAccounts } from '../../lib/contract/staff-accounts.ts';
import { batch, check, eventBus, get, read, replace } from '../../lib/contract/uses.ts';
import { CareRelations } from '../access/about.ts';
import { ConsentStates } from '../access/consent-states.ts';
import { SiteStaff, Sites } from '../crm-sites/tables.ts';
import { QuestionnaireFlags } from '../questionnaire-responses/tables.ts';
import { overdueTickets, unacknowledgedTickets } from './metrics.ts';
import { SupportTickets } from './tables.ts';

export const openUrgentTickets = consumer({
  summary: 'Opens an urgent ticket for each flag that a questionnaire raised',
  application: 'medinfo',
  stream: QuestionnaireFlags,
  uses: [
    read(CareRelations),
    get(ConsentStates),
    get(Accounts),
    check(Accounts),
    read(SupportTickets),
    replace(SupportTickets),
    get(Sites),
    read(SiteStaff),
    batch(StaffAccounts),
  ],
  batchSize: 100,
  windowSeconds: 0,
  retries: untilTooOld,
  maxAgeSeconds: twentyThreeHours,
  impact:
    "A patient's site gets no ticket for an answer that a person must look at; the list of flags and its alarm still work",
});

export const publishTicketEvents = consumer({
  summary: 'Tells other services of tickets and their states',
  application: 'sleepcare',
  stream: SupportTickets,
  uses: [eventBus('publish')],
  batchSize: 100,
  windowSeconds: 0,
  retries: untilTooOld,
  maxAgeSeconds: twentyThreeHours,
  impact: 'Other services do not learn of tickets and their states; the tickets themselves are untouched',
});

export const watchUrgentTickets = consumer({
  summary:
    'Hands urgent tickets that nobody at the site may see any more over to clinical safety, and counts what nobody has acknowledged, for the alarm',
  application: 'medinfo',
  schedule: 'rate(5 minutes)',
  uses: [
    read(SupportTickets),
    replace(SupportTickets),
    read(CareRelations),
    get(ConsentStates),
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

export const watchTickets = consumer({
  summary: 'Counts the tickets that are overdue, for the alarm, and closes those that were solved 14 days ago',
  application: 'medinfo',
  schedule: 'rate(5 minutes)',
  uses: [read(SupportTickets), replace(SupportTickets), batch(Accounts)],
  alarm: { metric: overdueTickets, impact: 'Patients wait longer for the support than they should' },
  impact:
    'The alarm for overdue tickets is not updated, and solved tickets stay on the list of solved tickets; ' +
    'patients notice nothing',
});
