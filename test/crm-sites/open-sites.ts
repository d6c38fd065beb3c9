import { setImmediate } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { localTables } from '../local-tables.ts';

/** Sites on the local DynamoDB, driven without HTTP. */

export const now = new Date('2026-06-01T12:00:00.000Z');
export const occasion = { application: 'medinfo', actor: 'admin', requestId: 'r', realNow: now };
export const atOnce = { pause: () => setImmediate() };

export const overtaken = () =>
  new TransactionCanceledException({
    message: 'another writer was first',
    CancellationReasons: [{ Code: 'TransactionConflict' }],
    $metadata: {},
  });

export async function openSites() {
  const names = [
    'Sites',
    'CareRelations',
    'SitePatients',
    'SiteCodeTries',
    'Staff',
    'SiteStaff',
    'StaffDirectory',
    'AuditEvents',
    'IdempotencyKeys',
  ] as const;
  const { client: dynamo, tables } = await localTables(names, { maxAttempts: 1 });
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
  };
}
