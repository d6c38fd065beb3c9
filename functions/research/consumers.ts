import { consumer, untilTooOld } from '../../lib/contract/consumer.ts';
import { adjust, append, eventBus, get, read, sendTo } from '../../lib/contract/uses.ts';
import { ConsentRevocations } from '../consent-events/queues.ts';
import { ConsentRecords } from '../consents/tables.ts';
import { MailQueue } from '../mail/queues.ts';
import { Enrolments, Studies, UserEnrolments } from './tables.ts';

export const endEnrolments = consumer({
  summary: 'Ends the participation in studies after their consent was revoked',
  application: 'sleepcare',
  // By a queue: the streams of consents have two readers each.
  queue: ConsentRevocations,
  uses: [
    read(ConsentRecords),
    read(UserEnrolments),
    append(UserEnrolments),
    get(Enrolments),
    append(Enrolments),
    adjust(Studies),
  ],
  batchSize: 10,
  concurrency: 2,
  impact:
    'Users who revoked a consent still count as participants of its studies; exports do not have their data, because they check the consent themselves',
});

/** Also its own role: who can make somebody a participant cannot keep the mail about it from being sent. */
export const publishEnrolmentEvents = consumer({
  summary: 'Tells other services who joined and who left which study, and whoever joined by mail',
  application: 'sleepcare',
  stream: Enrolments,
  uses: [eventBus('publish'), sendTo(MailQueue)],
  retries: untilTooOld,
  impact:
    'Other services do not learn that somebody joined or left a study, and participants get no mail; the studies themselves are untouched',
});
