import type { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { issueCodes } from '../../functions/auth/stores/recovery-codes.ts';

test.each([
  ['medinfo', ['RecoveryCodes', 'AuditEvents']],
  // Audit events are kept for good.
  ['sleepcare', ['RecoveryCodes']],
])('new codes of a user of %s are written to %j', async (application, expected) => {
  const written: string[] = [];
  const dynamo = {
    send: async ({ input }: TransactWriteCommand) => {
      written.push(...(input.TransactItems ?? []).map(({ Put }) => String(Put?.TableName)));
    },
  } as unknown as DynamoDBDocumentClient;
  const tables = { RecoveryCodes: 'RecoveryCodes', AuditEvents: 'AuditEvents' };
  const occasion = { application, requestId: 'r', realNow: new Date() };
  expect(await issueCodes({ dynamo, tables, secret: 'secret' }, 'user', occasion)).toHaveLength(10);
  expect(written).toEqual(expected);
});
