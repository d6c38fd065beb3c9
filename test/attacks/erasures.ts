import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { nothing } from '../../functions/erasure/rules/erasure.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import { handlesNamed } from '../tables.ts';
import type { AttackedStage } from './attacked-stage.ts';

/** What attacks on erasures read, lay and take away. */

export const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

export function erasuresOf(attacked: AttackedStage) {
  return {
    lay: ({ s3 }: ReturnType<AttackedStage['as']>, Key: string, body: object = {}) =>
      s3.send(new PutObjectCommand({ Bucket: attacked.bucket(), Key, Body: JSON.stringify(body), IfNoneMatch: '*' })),
    read: async (table: string, Key: object) =>
      (await attacked.owner().dynamo.send(new GetCommand({ TableName: attacked.table(table), Key }))).Item,
    remove: (table: string, Key: object) =>
      attacked.owner().dynamo.send(new DeleteCommand({ TableName: attacked.table(table), Key })),
    replayPlace() {
      const { dynamo, s3 } = attacked.owner();
      const tables = handlesNamed(dynamo, ['Erasures', 'Accounts', 'LegalHolds'], attacked.table);
      const { Erasures: table, Accounts: accounts, LegalHolds: holds } = tables;
      return { s3, table, accounts, holds, bucket: attacked.bucket() };
    },
  };
}

/** All that precedes the erasure, of the same moment. */
export function stateOf(userId: string, at: string, change: Partial<Erasure>): Erasure {
  const asked = { requestedAt: at, endedAt: at, settledAt: at, signedOutAt: at, witnessedAt: at, graceEndsAt: at };
  const closed = { closingAt: at, closedAt: at, accessEndsAt: at };
  return { ...nothing(userId), revision: 99, application: 'sleepcare', ...asked, ...closed, ...change };
}
