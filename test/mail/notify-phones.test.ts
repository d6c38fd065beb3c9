import {
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { notifyPhones } from '../../functions/mail/workflows/notify-phones.ts';
import { handlesNamed } from '../tables.ts';

/** Which users get a message on the agent board about a mail, and how often. */

const at = '2026-11-28T08:00:00.000Z';
const notice = { mailId: 'one-mail', userId: 'one', kind: 'new-device', locale: null, at } as const;
const [before, after] = ['2026-11-28T07:59:59.000Z', '2026-11-28T08:00:01.000Z'];

async function postedFor(registered: readonly string[], isPosted = false): Promise<string[]> {
  const written: string[] = [];
  const dynamo = {
    send: async (command: GetCommand | QueryCommand | TransactWriteCommand) => {
      if (command instanceof QueryCommand) return { Items: registered.map((registeredAt) => ({ registeredAt })) };
      if (!(command instanceof GetCommand)) {
        const puts = (command.input.TransactItems ?? []).map(({ Put, Update }) => String((Put ?? Update)?.TableName));
        written.push(puts.toSorted().join());
        return {};
      }
      const isNotice = command.input.Key?.mailRecord === 'notice#one-mail';
      return isNotice && isPosted ? { Item: command.input.Key } : {};
    },
  } as unknown as DynamoDBDocumentClient;
  const tables = handlesNamed(dynamo, ['MailRecords', 'Devices', 'AgentBoardMessages', 'Accounts']);
  await notifyPhones({ tables, now: () => new Date(at) }, notice, { title: 'A', body: 'B' });
  return written;
}

test.each<[string, readonly string[], boolean, readonly string[]]>([
  ['without a phone', [], false, []],
  ['whose phone came with the sign-in', [at, after], false, []],
  ['who had a phone before', [after, before], false, ['AgentBoardMessages,AgentBoardMessages,MailRecords']],
  ['who has the message already', [before], true, []],
])('a user %s', async (_, registered, isPosted, written) => {
  expect(await postedFor(registered, isPosted)).toEqual(written);
});
