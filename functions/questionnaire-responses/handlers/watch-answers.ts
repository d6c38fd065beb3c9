import { tableExistsIn } from '../../../lib/contract/tables.ts';
import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { sendAll } from '../../../lib/runtime/sqs.ts';
import { publishEvents } from '../../consent-events/exports.ts';
import { Clock } from '../../time-machine/tables.ts';
import { watchAnswers } from '../consumers.ts';
import { flagsMissing } from '../metrics.ts';
import { amendmentsIn } from '../rules/amendment.ts';
import { completionEventOf } from '../rules/response-event.ts';
import { guardsIn } from '../stores/guards-in.ts';
import { examineAnswers } from '../workflows/examine-answers.ts';
import { tellOfFlags } from '../workflows/tell-of-flags.ts';

/** First what protects a patient, then what exports of studies need and what other services want to know. */
export const handler = consumeStream(watchAnswers)(async (records, bindings) => {
  const { eventBus, queues, where, log } = bindings;
  const { guards, operators } = guardsIn(bindings);
  const isDated = !tableExistsIn(Clock, where.environment);
  const missing = await examineAnswers(records, { ...guards, operators, isDated, log });
  await tellOfFlags({ operators, log }, flagsMissing, missing);
  await sendAll(queues.ResearchExportQueue, amendmentsIn(records));
  return publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: completionEventOf,
    log,
  });
});
