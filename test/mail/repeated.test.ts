import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { addressOf } from '../../functions/mail/rules/code.ts';
import type { QueuedMail } from '../../functions/mail/rules/kinds.ts';
import { codeKeys, drawn, hashOfCode } from '../../functions/mail/stores/mail-records.ts';
import { deliver } from '../../functions/mail/workflows/deliver.ts';
import type { KeyRing } from '../../lib/contract/key-ring.ts';
import { handlesNamed } from '../tables.ts';

/** Mails as the queue brings them: again after SES failed, while the key was replaced in between; and from whoever may write to it. */

const [before, after] = ['b'.repeat(64), 'a'.repeat(64)];
const email = 'one@example.com';
const mailId = 'one-mail';

/** Its row, as the first attempt with the old key has stored it. */
const old: KeyRing = [before];
const [mailRecord] = codeKeys(old, 'password-reset', addressOf('sleepcare', email));
const subject = `password-reset#sleepcare#${email}#${mailId}`;
const code = drawn(old, subject, 6);
const row = { mailRecord, mailId, codeHash: hashOfCode(old, mailRecord, code), triesLeft: 5, keep: {} };

const world = {
  secret: [after, before],
  invitationPage: 'https://medinfo.example.com/invitations',
  secureAccountPage: 'https://sleepcare.example.com/not-me',
  now: () => new Date(),
  addressee: async () => null,
  invited: async () => null,
  accountWith: async () => ({ isDisabled: false }),
  localeOf: async () => null,
  notify: async () => undefined,
} as const;

const tableOf = (send: (command: unknown) => Promise<object>) =>
  handlesNamed({ send } as unknown as DynamoDBDocumentClient, ['MailRecords']).MailRecords;

test('it carries the code that its row has, which the old key drew', async () => {
  const sent: unknown[] = [];
  const outcome = await deliver(
    {
      ...world,
      table: tableOf(async (command) =>
        command instanceof GetCommand && command.input.Key?.mailRecord === mailRecord ? { Item: row } : {},
      ),
      send: async ({ values }) => void sent.push(values),
    },
    { kind: 'password-reset', application: 'sleepcare', to: { email }, locale: null, data: {}, mailId } as QueuedMail,
  );
  expect(drawn([after], subject, 6)).not.toBe(code);
  expect([outcome, sent]).toEqual(['sent', [{ code }]]);
});

test.each([
  ['another address', { mailId: 'm', email: 'invited@example.com' }],
  ['another invitation', { mailId: 'earlier', email }],
  ['nobody who is invited', null],
])('the link of an invitation goes out for nothing else: %s', async (_case, invited) => {
  const sent: unknown[] = [];
  const table = tableOf(async () => ({}));
  const own = { mailId: 'm', askedAt: new Date().toISOString(), keep: { staffId: 's' } };
  const mail = {
    kind: 'staff-invitation',
    application: 'medinfo',
    to: { email },
    locale: null,
    data: {},
    ...own,
  } as unknown as QueuedMail;
  const deliverTo = (known: typeof invited) =>
    deliver({ ...world, table, invited: async () => known, send: async ({ values }) => void sent.push(values) }, mail);
  expect(await deliverTo(invited)).toBe('nobody');
  expect(sent).toEqual([]);
  expect(await deliverTo({ mailId: 'm', email })).toBe('sent');
});
