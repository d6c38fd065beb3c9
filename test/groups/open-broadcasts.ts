import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Broadcast, Progress } from '../../functions/groups/rules/broadcast.ts';
import type { Task } from '../../functions/groups/rules/task.ts';
import { readProgress } from '../../functions/groups/stores/broadcasts.ts';
import { acceptBroadcast } from '../../functions/groups/workflows/accept-broadcast.ts';
import { createGroup } from '../../functions/groups/workflows/change-group.ts';
import { processBroadcastTask, type Work } from '../../functions/groups/workflows/process-broadcast-task.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { guarded } from '../../lib/runtime/accounts.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { partition } from '../partition.ts';
import { createTables, handlesNamed } from '../tables.ts';

/** Broadcasts on the local DynamoDB, with a queue of the test's own, whose invocations it can end at any call. */

const names = [
  'Groups',
  'GroupMembers',
  'UserGroups',
  'GroupMessages',
  'GroupMessageParts',
  'GroupMessageDeliveries',
  'AgentBoardMessages',
  'ConsentStates',
  'Accounts',
  'AuditEvents',
  'IdempotencyKeys',
] as const;
type Name = (typeof names)[number];

class Killed extends Error {}

/** Ends the invocation at its call of that number, before it or when it took effect: nothing after it happens. */
export type Kill = { readonly at: number; readonly when: 'before' | 'after' };

export async function openBroadcasts() {
  const database = await startDynamoDb({});
  const open = () => {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const config = { endpoint: database.url, region: 'eu-central-1', credentials, maxAttempts: 1 };
    return guarded(documentsOf(new DynamoDBClient(config)));
  };
  const [client, working] = [open(), open()];
  const tables = await createTables(client, names);

  let calls = 0;
  let kill: Kill | undefined;
  let before: ((command: string, input: Record<string, unknown>) => Promise<void>) | undefined;
  /** Counts a call of the invocation, and ends it where it is to end. */
  const step = async <T>(act: () => Promise<T>): Promise<T> => {
    calls += 1;
    const number = calls;
    if (kill && (number > kill.at || (number === kill.at && kill.when === 'before'))) throw new Killed();
    const result = await act();
    if (kill && number >= kill.at) throw new Killed();
    return result;
  };
  working.middlewareStack.add(
    (next, context) => async (args) => {
      await before?.(String(context.commandName), args.input as Record<string, unknown>);
      return step(() => next(args));
    },
    { step: 'initialize' },
  );

  const put = (TableName: Name, Item: Record<string, unknown>) => client.send(new PutCommand({ TableName, Item }));

  async function accept(groupId: string, purpose: Broadcast['purpose'] = 'service', acceptedAt = new Date()) {
    const draft = { groupId, purpose, title: 'Title', body: 'Text', authorId: 'admin', now: acceptedAt };
    const occasion = { application: 'medinfo', actor: 'admin', requestId: 'r', realNow: acceptedAt, once: null };
    const accepted = await acceptBroadcast(tables, draft, occasion);
    if (typeof accepted === 'string') throw new Error(accepted);
    return accepted;
  }

  const listing = ({ groupId, broadcastId }: Broadcast): Task => ({ do: 'list', groupId, broadcastId, from: 0 });

  /** Works the tasks off as the queue does: what throws comes again, five times in all. @returns the dead letters, and the calls */
  async function work(tasks: readonly Task[], how: Partial<Work> = {}, killAt?: Kill) {
    const queue = tasks.map((task) => ({ task, received: 0 }));
    const dead: Task[] = [];
    calls = 0;
    kill = killAt;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { task } = next;
      const received = next.received + 1;
      const invocation: Work = {
        tables: handlesNamed(working, names),
        send: (more) => step(async () => void queue.push(...more.map((each) => ({ task: each, received: 0 })))),
        now: () => new Date(),
        remainingMs: () => 10_000,
        isLast: received >= 5,
        isDated: true,
        sizes: { partMembers: 2, pagesAtOnce: 2 },
        ...how,
      };
      await processBroadcastTask(task, invocation, () => undefined).catch(() => {
        // Only the invocation that was under way ended.
        if (kill && calls >= kill.at) kill = undefined;
        if (received >= 5) dead.push(task);
        else queue.push({ task, received });
      });
    }
    return { dead, calls };
  }

  return {
    client,
    tables,
    put,
    accept,
    listing,
    work,
    /** A group of so many, in the order of their ids. */
    async group(members: number, since = '2026-01-01T00:00:00.000Z') {
      const occasion = { application: 'medinfo', actor: 'admin', requestId: 'r', realNow: new Date(), once: null };
      const wanted = { name: 'Pilot', kind: 'patients', description: '', now: new Date() } as const;
      const { groupId } = await createGroup(tables, wanted, occasion);
      const userIds = Array.from({ length: members }, () => randomUUID()).toSorted();
      for (const userId of userIds) await put('GroupMembers', { groupId, userId, since });
      return { groupId, userIds };
    },
    /** Called before each call that the invocations make. */
    onCall(listener: typeof before) {
      before = listener;
    },
    progress: async ({ broadcastId }: Broadcast): Promise<Progress> => {
      const found = await readProgress(tables.GroupMessageParts, broadcastId);
      if (!found) throw new Error('no progress');
      return found;
    },
    /** How many messages each of them has. */
    boards: (userIds: readonly string[]) =>
      Promise.all(
        userIds.map(async (userId) => {
          const rows = await partition(client, 'AgentBoardMessages', { userId });
          return rows.filter(({ messageId }) => messageId !== '~board').length;
        }),
      ),
    async close() {
      client.destroy();
      working.destroy();
      await database.close();
    },
  };
}
