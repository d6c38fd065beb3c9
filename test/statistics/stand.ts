import { randomUUID } from 'node:crypto';
import {
  type DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { rebuildStatistics } from '../../functions/statistics/jobs/rebuild-statistics.ts';
import type { Counts } from '../../functions/statistics/rules/tally.ts';
import { readFigures } from '../../functions/statistics/stores/figures.ts';
import { countBatch } from '../../functions/statistics/workflows/count-batch.ts';
import { localTables } from '../local-tables.ts';
import { handlesNamed } from '../tables.ts';

/** A ledger of made-up records and its statistics on the local DynamoDB; what the stream tells and when is the test's. */

export type Entry = {
  userId: string;
  agreementId: string;
  sequence: number;
  recordedAt: string;
  action: 'agreed' | 'revoked';
  versionId: string;
};

export async function openStand() {
  const { client, tables } = await localTables(['ConsentRecords', 'ConsentStatistics']);
  const pause = async () => {};
  const keyOf = ({ userId, agreementId, recordedAt }: Entry) => ({
    userAgreement: `${userId}#${agreementId}`,
    recordedAt,
  });
  return {
    statistics: tables.ConsentStatistics,
    write: (entry: Entry) => {
      const Item = { ...keyOf(entry), recordId: randomUUID(), source: 'user', ...entry };
      return client.send(new PutCommand({ TableName: tables.ConsentRecords.name, Item }));
    },
    letGo: (entry: Entry) =>
      client.send(
        new UpdateCommand({
          TableName: tables.ConsentRecords.name,
          Key: keyOf(entry),
          UpdateExpression: 'SET expiresAt = :at',
          ExpressionAttributeValues: { ':at': 4_000_000_000 },
        }),
      ),
    count: (records: readonly DynamoDBRecord[]) => countBatch(records, { tables, pause, log: () => {} }),
    rebuild: () => rebuildStatistics({ tables, pause, segments: 2, progress: () => {} }),
    figures: (agreementId: string) => readFigures(tables.ConsentStatistics, agreementId, '2000-01-01'),
    /** `meanwhile` comes between the generation and each reading of its rows. */
    figuresWhile(agreementId: string, meanwhile: () => Promise<unknown>) {
      const send = async (command: QueryCommand) => {
        if (command instanceof QueryCommand) await meanwhile();
        return client.send(command);
      };
      const { ConsentStatistics } = handlesNamed({ send } as DynamoDBDocumentClient, ['ConsentStatistics']);
      return readFigures(ConsentStatistics, agreementId, '2000-01-01');
    },
    plant: (Item: Record<string, unknown>) =>
      client.send(new PutCommand({ TableName: tables.ConsentStatistics.name, Item })),
    rows: async () => (await client.send(new ScanCommand({ TableName: tables.ConsentStatistics.name }))).Items ?? [],
  };
}

/** A change of a pointer, as Lambda hands it over. */
export function inserted(entry: Entry): DynamoDBRecord {
  return { eventName: 'MODIFY', dynamodb: { SequenceNumber: '1', NewImage: imageOf(entry) } };
}

export function released(entry: Entry): DynamoDBRecord {
  return { eventName: 'REMOVE', dynamodb: { SequenceNumber: '1', OldImage: imageOf(entry) } };
}

function imageOf(entry: Entry) {
  const texts = Object.entries({ ...entry, recordId: 'r' }).map(([name, value]) => {
    return [name, typeof value === 'number' ? { N: String(value) } : { S: value }];
  });
  return Object.fromEntries(texts);
}

/** Figures that nothing is counted in do not differ from those that are not there. */
export function written(totals: ReadonlyMap<string, Counts>): Record<string, Counts> {
  return Object.fromEntries([...totals].filter(([, counts]) => Object.values(counts).some((count) => count !== 0)));
}
