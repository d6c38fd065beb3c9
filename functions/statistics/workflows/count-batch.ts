import type { DynamoDBRecord } from 'aws-lambda';
import type { Line } from '../../../lib/runtime/log.ts';
import { partitionOf } from '../../consents/rules.ts';
import { releasedChain, standingOf } from '../rules/standing.ts';
import { generationsKey } from '../rules/statistics-keys.ts';
import { readGenerations } from '../stores/generations.ts';
import { type Counting, countInto, type Heard } from './count-chains.ts';

/**
 * Counts what a batch of the pointers' stream tells, into each generation that there is. Which ones there are is read after
 * the records came: one that is not there yet is begun later than they were committed, and its rebuild finds them.
 *
 * @returns the number of a record that cannot be understood; all before it was counted. Else null
 * @throws where a table cannot be read or written; what was counted stays so, and is not counted twice
 */
export async function countBatch(
  records: readonly DynamoDBRecord[],
  { log, ...counting }: Counting & { log: (line: Line) => void },
): Promise<string | null> {
  const { chains, poison } = readBatch(records);
  const { current, counting: next } = await readGenerations({
    table: counting.tables.ConsentStatistics,
    key: generationsKey,
  });
  for (const generation of next === null ? [current] : [current, next]) {
    await countInto(counting, generation, [...chains.values()]);
  }
  log({ level: 'INFO', message: 'counted', records: records.length, chains: chains.size });
  if (poison !== null) log({ level: 'ERROR', message: 'record not understood', sequenceNumber: poison });
  return poison;
}

function readBatch(records: readonly DynamoDBRecord[]) {
  const chains = new Map<string, Heard>();
  for (const { dynamodb = {} } of records) {
    try {
      const record = standingOf(dynamodb);
      if (record) hear(chains, { ...record, records: [record], isReleased: false });
      const released = releasedChain(dynamodb);
      if (released) hear(chains, { ...released, records: [], isReleased: true });
    } catch {
      return { chains, poison: dynamodb.SequenceNumber ?? '' };
    }
  }
  return { chains, poison: null };
}

function hear(chains: Map<string, Heard>, { agreementId, userId, records, isReleased }: Heard): void {
  const name = partitionOf({ userId, agreementId });
  const before = chains.get(name);
  chains.set(name, {
    agreementId,
    userId,
    records: [...(before?.records ?? []), ...records],
    isReleased: isReleased || before?.isReleased === true,
  });
}
