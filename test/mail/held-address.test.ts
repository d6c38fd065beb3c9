import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { QueuedMail } from '../../functions/mail/rules/kinds.ts';
import { holdAddress } from '../../functions/mail/stores/secure-links.ts';
import { deliver } from '../../functions/mail/workflows/deliver.ts';

/** An address that an account has left: for 7 days only that account gets a code there. */

const email = 'One@example.com';
const days = 86_400_000;

async function kindOfMail(mail: Pick<QueuedMail, 'kind' | 'keep'>, now: Date, application = 'sleepcare') {
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
  const place = { dynamo, tables: { MailRecords: 'MailRecords' }, secret };
  await holdAddress(place, { application: 'sleepcare', email: email.toLowerCase(), userId: 'before' });
  const sent: unknown[] = [];
  const world = {
    dynamo,
    table: 'MailRecords',
    secret,
    invitationPage: 'https://medinfo.example.com/invitations',
    secureAccountPage: 'https://sleepcare.example.com/not-me',
    now: () => now,
    addressee: async () => null,
    accountWith: async () => null,
    localeOf: async () => null,
    notify: async () => undefined,
    send: async ({ kind, values }: { kind: string; values: object }) => void sent.push([kind, Object.keys(values)]),
  };
  await deliver(world, { ...mail, application, to: { email }, locale: null, data: {}, mailId: 'one' } as QueuedMail);
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
