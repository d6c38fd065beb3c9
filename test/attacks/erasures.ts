import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { nothing } from '../../functions/erasure/rules/erasure.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import { handlesNamed } from '../tables.ts';
import type { House } from './house.ts';

/** What attacks on erasures read, lay and take away. */

export const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

export function erasuresOf(house: House) {
  return {
    lay: ({ s3 }: ReturnType<House['as']>, Key: string, body: object = {}) =>
      s3.send(new PutObjectCommand({ Bucket: house.bucket(), Key, Body: JSON.stringify(body), IfNoneMatch: '*' })),
    read: async (table: string, Key: object) =>
      (await house.owner().dynamo.send(new GetCommand({ TableName: house.table(table), Key }))).Item,
    remove: (table: string, Key: object) =>
      house.owner().dynamo.send(new DeleteCommand({ TableName: house.table(table), Key })),
    replayPlace() {
      const { dynamo, s3 } = house.owner();
      const tables = handlesNamed(dynamo, ['Erasures', 'Accounts', 'LegalHolds'], house.table);
      const { Erasures: table, Accounts: accounts, LegalHolds: holds } = tables;
      return { s3, table, accounts, holds, bucket: house.bucket() };
    },
  };
}

/** All that precedes the erasure, of the same moment. */
export function stateOf(userId: string, at: string, change: Partial<Erasure>): Erasure {
  const asked = { requestedAt: at, endedAt: at, settledAt: at, signedOutAt: at, witnessedAt: at, graceEndsAt: at };
  const closed = { closingAt: at, closedAt: at, accessEndsAt: at };
  return { ...nothing(userId), revision: 99, application: 'sleepcare', ...asked, ...closed, ...change };
}
