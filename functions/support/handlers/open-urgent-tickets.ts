import { recordsSetAside } from '../../../lib/contract/metrics.ts';
import { tableExistsIn } from '../../../lib/contract/tables.ts';
import { consumeStream } from '../../../lib/runtime/consume.ts';
import { describeError } from '../../../lib/runtime/log.ts';
import { isOfValue } from '../../evidence/rules.ts';
import { Clock } from '../../time-machine/tables.ts';
import { openUrgentTickets } from '../consumers.ts';
import { flagChangeOf } from '../rules/flag-change.ts';
import { dependenciesOf, openUrgentTicket, settleDecided } from '../workflows/open-urgent-ticket.ts';

/** In the stream's order; a record that is replayed comes behind others, and changes nothing that they have settled. */
export const handler = consumeStream(openUrgentTickets)(async (records, { tables, where, now, log }) => {
  // Null: this stage's clock can be set, so an honest flag may have a later time than this one.
  const deps = dependenciesOf(tables, log, tableExistsIn(Clock, where.environment) ? null : now());
  for (const { dynamodb = {}, eventID } of records) {
    const sequenceNumber = dynamodb.SequenceNumber ?? '';
    // It will not be understood later either, and would hold up all that follow it.
    const setAside = () => {
      log({ level: 'ERROR', message: 'record set aside', sequenceNumber, eventID }, { [recordsSetAside]: 1 });
    };
    const change = flagChangeOf(dynamodb);
    if (change === 'unknown') {
      setAside();
      continue;
    }
    try {
      if (change?.raised) await openUrgentTicket(deps, change.raised);
      if (change?.acknowledged) await settleDecided(deps, tables.FlagDecisions, change.acknowledged);
    } catch (error) {
      if (isOfValue(error)) {
        setAside();
        continue;
      }
      log({ level: 'WARN', message: 'record left for a retry', sequenceNumber, error: describeError(error) });
      return sequenceNumber;
    }
  }
  return null;
});
