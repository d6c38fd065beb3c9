import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { publishEvents } from '../../consent-events/exports.ts';
import { mailTo, noticeId, timeToTell } from '../../mail/exports.ts';
import { publishEnrolmentEvents } from '../consumers.ts';
import { enrolmentEventOf, joinIn } from '../rules/enrolment-event.ts';

const atOnce = 10;

export const handler = consumeStream(publishEnrolmentEvents)(async (records, { queues, eventBus, where, log }) => {
  // Before the events: who can make somebody a participant could also write a row at which they stop.
  await mapWithConcurrency(records, atOnce, async ({ eventID = '', dynamodb = {} }) => {
    const joined = joinIn(dynamodb);
    if (!joined) return;
    const { userId, at } = joined;
    const mail = { kind: 'study-joined', application: 'sleepcare', to: { userId }, locale: null } as const;
    // A batch that comes again tells nobody twice.
    const mailId = noticeId(userId, 'study-joined', eventID);
    await mailTo(queues.MailQueue, { ...mail, data: { at: timeToTell(at) } }, mailId);
  });
  return publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: enrolmentEventOf,
    log,
  });
});
