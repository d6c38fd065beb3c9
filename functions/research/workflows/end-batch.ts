import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { setAsideBy } from '../../../lib/contract/metrics.ts';
import { describeError, type Line } from '../../../lib/runtime/log.ts';
import { type Revocation, revocationIn } from '../rules/revocation.ts';
import { endByRevocation } from './leave.ts';

type Ending = {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Parameters<typeof endByRevocation>[1];
  readonly log: (line: Line, metrics?: Readonly<Record<string, number>>) => void;
};

/**
 * Ends what rested on the consents that these changes revoked, one after the other. A change that is not understood now will not be
 * later either: it is logged, counted for the alarm, and left out.
 *
 * @returns the number of the first record that has to come again; null where all were done
 */
export async function endBatch(
  records: readonly DynamoDBRecord[],
  { client, tables, log }: Ending,
): Promise<string | null> {
  let ended = 0;
  for (const record of records) {
    const revocation = readRevocation(record, log);
    if (!revocation) continue;
    try {
      ended += await endByRevocation(client, tables, revocation);
    } catch (error) {
      // What came before it is done.
      log({ level: 'WARN', message: 'enrolments not ended', error: describeError(error) });
      return record.dynamodb?.SequenceNumber ?? '';
    }
  }
  log({ level: 'INFO', message: 'enrolments ended', records: records.length, ended });
  return null;
}

function readRevocation({ eventID, dynamodb = {} }: DynamoDBRecord, log: Ending['log']): Revocation | null {
  try {
    return revocationIn(dynamodb);
  } catch {
    const sequenceNumber = dynamodb.SequenceNumber ?? '';
    log({ level: 'ERROR', message: 'record set aside', sequenceNumber, eventID }, { [setAsideBy('EndEnrolments')]: 1 });
    return null;
  }
}
