import { setImmediate } from 'node:timers/promises';
import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { createTables } from '../tables.ts';

/** Sites on the local DynamoDB, driven without HTTP. */

export const now = new Date('2026-06-01T12:00:00.000Z');
export const occasion = { application: 'medinfo', actor: 'admin', requestId: 'r', realNow: now };
export const atOnce = { pause: () => setImmediate() };

export type OpenSites = Awaited<ReturnType<typeof openSites>>;

export const overtaken = () =>
  new TransactionCanceledException({
    message: 'another writer was first',
    CancellationReasons: [{ Code: 'TransactionConflict' }],
    $metadata: {},
  });

export async function openSites() {
  const database = await startDynamoDb({});
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const dynamo = documentsOf(
    new DynamoDBClient({ endpoint: database.url, region: 'eu-central-1', credentials, maxAttempts: 1 }),
  );
  const tables = await createTables(dynamo, [
    'Sites',
    'CareRelations',
    'SitePatients',
    'SiteCodeTries',
    'Staff',
    'SiteStaff',
    'StaffDirectory',
    'AuditEvents',
    'IdempotencyKeys',
  ]);
  /** Done before the next transaction is sent. `isLost`: it takes effect, and is answered as if another writer had been first. */
  const next: { first: (() => Promise<unknown>) | undefined; isLost: boolean } = { first: undefined, isLost: false };
  dynamo.middlewareStack.add(
    (send, context) => async (args) => {
      if (context.commandName !== 'TransactWriteItemsCommand') return send(args);
      const { first, isLost } = next;
      next.first = undefined;
      next.isLost = false;
      await first?.();
      const answer = await send(args);
      if (isLost) throw overtaken();
      return answer;
    },
    { step: 'initialize' },
  );
  return {
    dynamo,
    tables,
    next,
    async close() {
      dynamo.destroy();
      await database.close();
    },
  };
}
