import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { publishEvents } from '../../consent-events/exports.ts';
import { watchFlagRows } from '../consumers.ts';
import { flagsTampered } from '../metrics.ts';
import { flagEventOf } from '../rules/response-event.ts';
import { guardsIn } from '../stores/guards-in.ts';
import { examineFlagRows } from '../workflows/examine-flag-rows.ts';
import { tellOfFlags } from '../workflows/tell-of-flags.ts';

/** First what protects a patient, then what other services want to know. */
export const handler = consumeStream(watchFlagRows)(async (records, bindings) => {
  const { eventBus, where, log } = bindings;
  const { guards, operators } = guardsIn(bindings);
  await tellOfFlags({ operators, log }, flagsTampered, await examineFlagRows(records, guards));
  return publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: flagEventOf,
    log,
  });
});
