import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { addressOf } from '../../functions/mail/rules/code.ts';
import type { QueuedMail } from '../../functions/mail/rules/kinds.ts';
import { codeKeys, drawn, hashOfCode } from '../../functions/mail/stores/mail-records.ts';
import { deliver } from '../../functions/mail/workflows/deliver.ts';
import type { KeyRing } from '../../lib/contract/key-ring.ts';

/** A mail that the queue brings again after SES failed, while the key was replaced in between. */

const [before, after] = ['b'.repeat(64), 'a'.repeat(64)];
const email = 'one@example.com';
const mailId = 'one-mail';

/** Its row, as the first attempt with the old key has stored it. */
const old: KeyRing = [before];
const [mailRecord] = codeKeys(old, 'password-reset', addressOf('sleepcare', email));
const subject = `password-reset#sleepcare#${email}#${mailId}`;
const code = drawn(old, subject, 6);
const row = { mailRecord, mailId, codeHash: hashOfCode(old, mailRecord, code), triesLeft: 5, keep: {} };

test('it carries the code that its row has, which the old key drew', async () => {
  const sent: unknown[] = [];
  const dynamo = {
    send: async (command: unknown) =>
      command instanceof GetCommand && command.input.Key?.mailRecord === mailRecord ? { Item: row } : {},
  } as unknown as DynamoDBDocumentClient;
  const outcome = await deliver(
    {
      dynamo,
      table: 'MailRecords',
      secret: [after, before],
      invitationPage: 'https://medinfo.example.com/invitations',
      secureAccountPage: 'https://sleepcare.example.com/not-me',
      now: () => new Date(),
      addressee: async () => null,
      accountWith: async () => ({ isDisabled: false }),
      localeOf: async () => null,
      notify: async () => undefined,
      send: async ({ values }) => void sent.push(values),
    },
    { kind: 'password-reset', application: 'sleepcare', to: { email }, locale: null, data: {}, mailId } as QueuedMail,
  );
  expect(drawn([after], subject, 6)).not.toBe(code);
  expect([outcome, sent]).toEqual(['sent', [{ code }]]);
});
