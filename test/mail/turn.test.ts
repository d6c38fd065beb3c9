import { type DynamoDBDocumentClient, GetCommand, type TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { inTurn } from '../../functions/mail/stores/secure-links.ts';
import { sizes } from '../../lib/stack/settings.ts';
import { handlesNamed } from '../tables.ts';

/** Who changes an account's address, or secures the account, while somebody else does. */

const turnOf = (turnUntil: number) => ({ mailRecord: 'account#of-one', turn: 'of somebody else', turnUntil });

async function taking(row: object | undefined) {
  const written: Record<string, unknown>[] = [];
  const dynamo = {
    send: async (command: GetCommand | TransactWriteCommand) => {
      if (command instanceof GetCommand) return { Item: row };
      const [item] = command.input.TransactItems ?? [];
      written.push(item?.Update?.ExpressionAttributeValues ?? {});
      return {};
    },
  } as unknown as DynamoDBDocumentClient;
  const place = { tables: handlesNamed(dynamo, ['MailRecords']), secret: ['a'.repeat(64)] as const };
  const acted: unknown[] = [];
  const answer = inTurn(place, 'one', async ({ known }) => void acted.push(known)).catch(({ code }) => code);
  return { code: await answer, acted, written };
}

test('while somebody else has the turn, a request waits, does nothing and answers UNAVAILABLE', async () => {
  expect(await taking(turnOf(Date.now() + 20_000))).toEqual({ code: 'UNAVAILABLE', acted: [], written: [] });
});

test.each([
  ['that was given back', turnOf(0)],
  ['of somebody who died', turnOf(Date.now() - 1)],
  ['without a name', { mailRecord: 'account#of-one', holder: 'x' }],
  ['that no honest function wrote', { ...turnOf(Date.now() + 3_600_000), securedAt: '9999-01-01T00:00:00.000Z' }],
  ['that is the first', undefined],
])('a turn %s is taken, given back, and kept for as long as a link of now', async (_, row) => {
  const now = Date.now();
  const { code, acted, written } = await taking(row);
  expect([code, acted]).toEqual([undefined, [{ securedAt: null, former: [], leaving: null }]]);
  const [taken, ended] = written;
  expect(Number(taken?.[':expiresAt'])).toBeGreaterThanOrEqual(now / 1000 + 7 * 86_400);
  // Longer than any function that takes one may run.
  expect(Number(taken?.[':until'])).toBeGreaterThan(now + sizes.procedure.timeoutSeconds * 1000);
  expect(ended).toEqual({ ':turn': taken?.[':turn'], ':turnUntil': 0 });
});
