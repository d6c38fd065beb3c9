import type { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { issueCodes } from '../../functions/auth/stores/recovery-codes.ts';
import { handlesNamed } from '../tables.ts';

test.each([
  ['medinfo', ['RecoveryCodes', 'AuditEvents']],
  // Audit events are kept for good.
  ['sleepcare', ['RecoveryCodes']],
])('new codes of a user of %s are written to %j', async (application, expected) => {
  const written: string[] = [];
  const items: unknown[] = [];
  const dynamo = {
    send: async ({ input }: TransactWriteCommand) => {
      written.push(...(input.TransactItems ?? []).map(({ Put }) => String(Put?.TableName)));
      items.push(...(input.TransactItems ?? []).map(({ Put }) => Put?.Item));
    },
  } as unknown as DynamoDBDocumentClient;
  const tables = handlesNamed(dynamo, ['RecoveryCodes', 'AuditEvents']);
  const occasion = { application, requestId: 'r', realNow: new Date() };
  const codes = await issueCodes({ tables }, 'user', occasion);
  expect(codes).toHaveLength(10);
  expect(written).toEqual(expected);
  // Only their SHA-256 is stored.
  const stored = JSON.stringify(items, (_key, value) => (value instanceof Set ? [...value] : value));
  for (const code of codes) for (const text of [code, code.replaceAll('-', '')]) expect(stored).not.toContain(text);
  for (const hash of (items[0] as { hashes: Set<string> }).hashes) expect(hash).toMatch(/^[\w-]{43}$/);
});
