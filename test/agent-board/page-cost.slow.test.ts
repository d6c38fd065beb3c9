import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startStage } from '../../bin/stage.ts';
import type { Call } from '../../lib/local/dynamodb/front.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { callerAt } from '../caller-at.ts';

/** What a page costs at the database: on a stage of its own, whose calls are the test's to count. */

let stage: RunningStage;
const calls: Call[] = [];

beforeAll(async () => {
  const dynamodb = (call: Call): undefined => void calls.push(call);
  stage = await startStage({ rateLimit: false, initWork: false, intercept: { dynamodb } });
});
afterAll(() => stage.close());

const user = randomUUID();
const actions = () =>
  calls
    .filter(({ input }) => String(input.TableName).includes('AgentBoardMessages'))
    .map(({ action }) => action)
    .toSorted();
beforeEach(() => {
  calls.length = 0;
});

const as = (application: 'sleepcare' | 'medinfo', roles: string, user: string) =>
  callerAt(stage, { user, roles, application });

test('a page is one Query, with the count in it; a later one has a GetItem beside it', async () => {
  const [patient, agent] = await Promise.all([as('sleepcare', 'patient', user), as('medinfo', 'agent', randomUUID())]);
  await patient('GET', '/users/me');
  for (let index = 0; index < 3; index += 1) {
    const posted = await agent('POST', `/users/${user}/agent-board/messages`, { title: 'Title', body: 'Text' });
    expect(posted.status).toBe(201);
  }

  for (const limit of [1, 2, 3, 100]) {
    calls.length = 0;
    const { body } = await patient('GET', `/agent-board/messages?limit=${limit}`);
    expect(body.metadata).toMatchObject({ limit, unreadCount: 3 });
    expect(actions()).toEqual(['Query']);
  }

  const first = (await patient('GET', '/agent-board/messages?limit=1')).body;
  calls.length = 0;
  const second = await patient('GET', `/agent-board/messages?limit=1&cursor=${first.metadata.nextCursor}`);
  expect(second.body.metadata).toMatchObject({ count: 1, unreadCount: 3 });
  expect(actions()).toEqual(['GetItem', 'Query']);
});
