import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { QueuedMail } from '../../functions/mail/rules/kinds.ts';
import { holdAddress } from '../../functions/mail/stores/secure-links.ts';
import { deliver } from '../../functions/mail/workflows/deliver.ts';
import { handlesNamed } from '../tables.ts';

/** An address that an account has left: for 7 days only that account gets a code there. */

const email = 'One@example.com';
const days = 86_400_000;

async function kindOfMail(
  mail: Pick<QueuedMail, 'kind' | 'keep'> & Partial<Pick<QueuedMail, 'to' | 'data'>>,
  now: Date,
  application = 'sleepcare',
  codes: Set<unknown> = new Set(),
  planted: object = {},
) {
  const rows = new Map<string, object>();
  const dynamo = {
    send: async (command: unknown) => {
      if (command instanceof GetCommand) return { Item: rows.get(command.input.Key?.mailRecord) };
      const { Update } = (command instanceof TransactWriteCommand && command.input.TransactItems?.[0]) || {};
      if (Update?.ExpressionAttributeValues) {
        const { Key, ExpressionAttributeValues: values } = Update;
        rows.set(Key?.mailRecord, { ...Key, holder: values[':holder'], expiresAt: values[':expiresAt'] });
      }
      return {};
    },
  } as unknown as DynamoDBDocumentClient;
  const secret = ['a'.repeat(64)] as const;
  const tables = handlesNamed(dynamo, ['MailRecords']);
  await holdAddress({ tables, secret }, { application: 'sleepcare', email: email.toLowerCase(), userId: 'before' });
  for (const row of rows.values()) Object.assign(row, planted);
  const sent: unknown[] = [];
  const world = {
    table: tables.MailRecords,
    secret,
    invitationPage: 'https://medinfo.example.com/invitations',
    secureAccountPage: 'https://sleepcare.example.com/not-me',
    now: () => now,
    addressee: async () => ({ email: 'now@example.com', locale: null, timeZone: null }),
    invited: async () => null,
    accountWith: async () => null,
    localeOf: async () => null,
    notify: async () => undefined,
    send: async ({ kind, values }: { kind: string; values: Readonly<Record<string, string>> }) => {
      sent.push([kind, Object.keys(values)]);
      if (values.code !== undefined) codes.add(values.code);
    },
  };
  await deliver(world, { to: { email }, data: {}, ...mail, application, locale: null, mailId: 'one' } as QueuedMail);
  return sent;
}

const held = [['address-held', []]];

test('another account, and whoever signs up, gets no code', async () => {
  expect(await kindOfMail({ kind: 'sign-up' }, new Date())).toEqual(held);
  expect(await kindOfMail({ kind: 'email-change', keep: { userId: 'other' } }, new Date())).toEqual(held);
});

test('the account that left it, another application and whoever comes after 7 days gets one', async () => {
  const code = (kind: string) => [[kind, ['code']]];
  const back = { kind: 'email-change', keep: { userId: 'before' } } as const;
  expect(await kindOfMail(back, new Date())).toEqual(code('email-change'));
  expect(await kindOfMail({ kind: 'sign-up' }, new Date(), 'medinfo')).toEqual(code('sign-up'));
  expect(await kindOfMail({ kind: 'sign-up' }, new Date(Date.now() + 7 * days - 60_000))).toEqual(held);
  expect(await kindOfMail({ kind: 'sign-up' }, new Date(Date.now() + 7 * days + 2_000))).toEqual(code('sign-up'));
});

test('an address that is held for longer than any honest function holds one is free', async () => {
  const planted = { expiresAt: Date.now() / 1000 + 365 * 86_400 };
  expect(await kindOfMail({ kind: 'sign-up' }, new Date(), 'sleepcare', new Set(), planted)).toEqual([
    ['sign-up', ['code']],
  ]);
});

describe('with the right to write to the queue alone', () => {
  const now = new Date();
  const notice = (to: object) => kindOfMail({ kind: 'password-changed', to } as never, now);
  const link = [['password-changed', ['link']]];

  test('the link of an account goes to its own address, or one that it had some days ago', async () => {
    expect(await notice({ userId: 'before' })).toEqual(link);
    expect(await notice({ userId: 'before', email })).toEqual(link);
    expect(await notice({ userId: 'other', email: 'Now@example.com' })).toEqual(link);
    for (const to of [{ userId: 'other', email }, { userId: 'before', email: 'thief@example.com' }, { email }])
      expect(await notice(to)).toEqual([]);
  });

  test('a text has no other value than its own', async () => {
    const data = { link: 'https://evil.example.com', code: '000000', at: '2026-12-06T07:13:50.000Z' } as never;
    expect(await kindOfMail({ kind: 'account-enabled', data }, now)).toEqual([['account-enabled', []]]);
  });

  test('the code of one mail says nothing of the code of another', async () => {
    const codes = new Set<unknown>();
    for (const kind of ['sign-up', 'email-change'] as const)
      for (const to of [{ email: 'thief@example.com' }, { email: 'victim@example.com' }])
        await kindOfMail({ kind, to }, now, 'medinfo', codes);
    expect(codes.size).toBe(4);
  });
});
