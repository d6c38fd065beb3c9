import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MeasuredOperation, type Units, units } from '../../bin/capacity/units.ts';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { namesPartition, versionNameKey } from '../../functions/agreements/rules/catalogue-keys.ts';
import { agreementRow, versionRow } from '../../functions/agreements/rules/catalogue-rows.ts';
import { nextRecord, stateOf } from '../../functions/consents/rules/record.ts';
import { consumers, operations } from '../../functions/domains.ts';
import { tickets } from '../../functions/overview/rules/sources.ts';
import { countBatch } from '../../functions/overview/workflows/count-things.ts';
import { deployments, seededUsers } from '../../functions/product.ts';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import { contentOf } from '../../functions/sleep/rules/entry-content.ts';
import { episodeOf } from '../../functions/sleep/rules/episode.ts';
import { nightOf } from '../../functions/sleep/rules/night.ts';
import { credentialsOf } from '../../lib/local/credentials.ts';
import type { FunctionModel } from '../../lib/local/model.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { functionName } from '../../lib/stack/names.ts';
import { callerAt } from '../caller-at.ts';
import { eventually } from '../eventually.ts';
import { diaryNight } from '../fhir/samples.ts';
import { definition } from '../research/study.ts';
import { doneExport } from '../research-exports/done-export.ts';
import { daysAgo, entryOf, episodeOf as watchNight } from '../sleep/diary.ts';
import { handlesNamed } from '../tables.ts';
import { countRoundTrips, roundTripsOf } from './round-trips.ts';

/** What requests cost at DynamoDB, and that it does not grow with a user's history: on a stage whose calls are counted. */

let stage: RunningStage;
let removeCounters: (() => void) | undefined;
let database: DynamoDBDocumentClient;
type Counted = { requests: number; read: number; write: number; actions: string[]; tables: string[] };
let counting: Counted | undefined;
/** The calls that were counted: what the SDK repeats, as no answer came in its time, is the same one. */
const calls = new Set<string>();

/** The access keys of the functions that answer requests: each has its role's. */
const ofRoutes = new Set<string>();

beforeAll(async () => {
  // The counter stands around the bundles of processes.
  stage = await startStage({
    asDeployed: true,
    seed,
    rateLimit: false,
    // What a cold start costs is no request's.
    initWork: false,
    onConsumed: ({ action, accessKeyId, input, headers }, consumed) => {
      const call = String(headers['amz-sdk-invocation-id']);
      const isRepeated = calls.has(call);
      calls.add(call);
      const table = String(input.TableName ?? '');
      // The clock is what prod has not.
      if (!counting || isRepeated || !ofRoutes.has(accessKeyId) || table.includes('Clock')) return;
      const isRead = /^(Get|Query|BatchGet|TransactGet)/.test(action);
      counting.requests += 1;
      counting.actions.push(action);
      counting.tables.push(table);
      for (const { CapacityUnits } of consumed) counting[isRead ? 'read' : 'write'] += CapacityUnits;
    },
  });
  removeCounters = countRoundTrips(stage);
  const isRoute = ({ operation }: FunctionModel) => operations.some(({ id }) => functionName(id) === operation);
  for (const fn of stage.model().functions.filter(isRoute)) ofRoutes.add(credentialsOf(fn).accessKeyId);
  // Nobody asks here what the streams' consumers do with the thousands of rows: idle ones are in their place.
  const idle = mkdtempSync(join(tmpdir(), 'mobile-health-idle-'));
  writeFileSync(join(idle, 'index.mjs'), 'export const handler = async () => ({ batchItemFailures: [] });');
  for (const { id } of consumers) stage.replaceCode(functionName(id), idle);
  const { endpoint, region, credentials } = stage.data;
  database = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
});
afterAll(async () => {
  database.destroy();
  await stage.close();
  removeCounters?.();
});

type Consumed = { CapacityUnits?: number };
type Application = 'sleepcare' | 'medinfo';
type Answer = { status: number; headers: Headers; body: Record<string, unknown> };
type Ask = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;

async function as(
  roles: string,
  user: string = randomUUID(),
  application: Application = 'sleepcare',
  client = 'mobile-app',
) {
  const ask: Ask = await callerAt(stage, { user, roles, application, client });
  const userId = String((await ask('GET', '/users/me')).body.userId);
  return { ask, userId };
}

/** By route, the table of which its function keeps for some seconds what it read. */
const kept: Readonly<Record<string, string>> = {
  'GET /users/agreements': 'Agreements',
  'GET /mobile/app-version/check': 'AppVersionPolicies',
  'GET /mobile/settings': 'MobileSettings',
};

/** What one request costs, with what its function keeps at hand: it is asked again where that was read anew. */
async function cost(ask: Ask, ...request: Parameters<Ask>): Promise<Units & { actions: string[] }> {
  const [method, path] = request;
  const keptTable = kept[`${method} ${path.replace(/\?.*/, '')}`];
  const measure = async () => {
    const counted: Counted = { requests: 0, read: 0, write: 0, actions: [], tables: [] };
    counting = counted;
    const { status } = await ask(...request);
    counting = undefined;
    expect(status).toBeLessThan(300);
    const { tables, ...cost } = counted;
    if (keptTable) expect(tables).not.toContain(stage.data.tables(keptTable));
    return cost;
  };
  // Nothing else is asked twice: a change would be another one the second time.
  return keptTable ? eventually(measure) : measure();
}

const own = '/users/me/studies';
const researchAgreed = '/agreements/versions/research-data-1.0/agree';
const marketing = { agree: '/agreements/versions/marketing-1.0/agree', consent: '/users/agreements/marketing/consent' };

/** A user with so many consent records of one agreement, the last of them a revocation. */
async function withHistory(records: number) {
  const user = await as('patient');
  const shown = {
    versionId: 'marketing-1.0',
    contentHash: 'a'.repeat(64),
    locale: 'en',
    localeSource: 'stated',
  } as const;
  let last: ConsentRecord | null = null;
  const made: ConsentRecord[] = [];
  for (let index = 0; index < records; index += 1) {
    const action = index % 2 === 0 ? 'agreed' : 'revoked';
    const now = new Date(Date.UTC(2026, 0, 1) + index);
    const at = { userId: user.userId, agreementId: 'marketing', now, recordId: randomUUID(), requestId: 'r' };
    last = nextRecord(last && stateOf(last), { ...shown, appVersion: null, action }, at);
    made.push(last);
  }
  const [ledger, states] = [stage.data.tables('ConsentRecords'), stage.data.tables('ConsentStates')];
  for (let from = 0; from < made.length; from += 25) {
    const puts = made.slice(from, from + 25).map((record, index) => ({
      PutRequest: {
        Item: {
          userAgreement: `${record.userId}#${record.agreementId}`,
          ...record,
          // On no page of the latest: what reads them all meets a Query's megabyte.
          ...(from + index < made.length - 100 && { padding: 'x'.repeat(6000) }),
        },
      },
    }));
    await database.send(new BatchWriteCommand({ RequestItems: { [ledger]: puts } }));
  }
  if (last) await database.send(new PutCommand({ TableName: states, Item: stateOf(last) }));
  return user;
}

describe('does not grow with history', () => {
  test('list, agree, revoke and the state, with 2 and with 300 records, more than a Query of a megabyte holds', async () => {
    const [few, many] = [await withHistory(2), await withHistory(300)];
    const asked = [
      ['GET', '/users/agreements'],
      ['GET', '/users/agreements/marketing/state'],
      ['GET', '/users/agreements/marketing/history'],
      ['POST', marketing.agree],
      ['DELETE', marketing.consent],
    ] as const;
    // The first agree of a function also asks which agreement the version is of.
    await (await as('patient')).ask('POST', marketing.agree);
    for (const [method, path] of asked) {
      const [first, second] = [await cost(few.ask, method, path), await cost(many.ask, method, path)];
      // A page of history holds as many records as there are, up to its limit.
      if (path.endsWith('/history')) expect(second).toMatchObject({ requests: first.requests, write: 0 });
      else expect({ path, ...second }).toEqual({ path, ...first });
    }
  });

  test('a user’s states of up to 100 agreements are one Query', async () => {
    const user = await as('patient');
    const states = stage.data.tables('ConsentStates');
    for (let from = 0; from < 100; from += 25) {
      const puts = Array.from({ length: 25 }, (_, index) => ({
        PutRequest: {
          Item: { userId: user.userId, agreementId: `a-${from + index}`, action: 'agreed', padding: 'x'.repeat(500) },
        },
      }));
      await database.send(new BatchWriteCommand({ RequestItems: { [states]: puts } }));
    }
    expect((await cost(user.ask, 'GET', '/users/agreements')).actions.toSorted()).toEqual(['BatchGetItem', 'Query']);
  });

  test('a page of messages is one Query, with 600 of them, more than a megabyte', async () => {
    const user = await as('patient');
    const agent = await as('agent', randomUUID(), 'medinfo');
    await agent.ask('POST', `/users/${user.userId}/agent-board/messages`, { title: 'Title', body: 'Text' });
    const board = stage.data.tables('AgentBoardMessages');
    for (let from = 0; from < 600; from += 25) {
      const puts = Array.from({ length: 25 }, (_, index) => ({
        PutRequest: {
          Item: {
            userId: user.userId,
            messageId: `2020${String(from + index).padStart(8, '0')}`,
            title: 't',
            body: 'b'.repeat(2000),
            createdAt: '2020-01-01T00:00:00.000Z',
            readAt: null,
          },
        },
      }));
      await database.send(new BatchWriteCommand({ RequestItems: { [board]: puts } }));
    }
    expect((await cost(user.ask, 'GET', '/agent-board/messages')).actions.toSorted()).toEqual([
      'BatchGetItem',
      'Query',
    ]);
  });
});

test('a page of patients reads what it shows, at a site of 1,000', async () => {
  const [admin, doctor] = [await as('admin', randomUUID(), 'medinfo'), await as('physician', randomUUID(), 'medinfo')];
  const { siteId } = (await admin.ask('POST', '/crm/sites', { name: 'Many', timezone: 'Europe/Berlin' })).body;
  await admin.ask('PUT', `/crm/sites/${siteId}/staff/${doctor.userId}`, { name: 'Dr. Many' });
  const table = stage.data.tables('SitePatients');
  for (let from = 0; from < 1_000; from += 25) {
    const puts = Array.from({ length: 25 }, (_, index) => ({
      PutRequest: { Item: { siteId, userId: `p-${from + index}`, since: '2026-01-01T00:00:00.000Z' } },
    }));
    await database.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
  }
  const { actions, read } = await cost(doctor.ask, 'GET', '/crm/patients?limit=20');
  // Account, staff, patients; pointers and accounts of the 20 and the newest record of each, at once; and the looks.
  const asked = ['BatchGetItem', 'BatchGetItem', 'BatchGetItem', ...Array(2 + 20).fill('Query'), 'TransactWriteItems'];
  expect(actions.toSorted()).toEqual(asked);
  // One unit for each row of the batches, found or not, and for each newest record.
  expect(read).toBeLessThanOrEqual(3 * 20 + 4);
});

test('a page of the timeline reads a page of each domain, whatever there is of it: three round trips', async () => {
  const [admin, doctor] = [await as('admin', randomUUID(), 'medinfo'), await as('physician', randomUUID(), 'medinfo')];
  const { siteId, code } = (await admin.ask('POST', '/crm/sites', { name: 'Long', timezone: 'Europe/Berlin' })).body;
  await admin.ask('PUT', `/crm/sites/${siteId}/staff/${doctor.userId}`, { name: 'Dr. Long' });
  const user = await as('patient');
  await user.ask('POST', '/users/me/sites', { code });
  await user.ask('POST', '/agreements/versions/data-sharing-1.0/agree');
  const { userId } = user;
  const write = async (from: number, to: number) => {
    for (let index = from; index < to; index += 25) {
      const some = Array.from({ length: 25 }, (_, offset) => index + offset);
      const dates = some.map((each) => addDays('2025-12-31', -each));
      const entries = dates.map((date) => ({
        userId,
        date,
        content: { zone: 'Europe/Berlin' },
        night: {},
        padding: 'x'.repeat(300),
      }));
      const windows = some.map((each) => {
        const number = String(9_999 - each).padStart(8, '0');
        return { userId, number, sequence: each, releasedAt: `${addDays('2025-12-31', -each)}T08:00:00.000Z` };
      });
      const RequestItems = {
        [stage.data.tables('SleepEntries')]: entries.map((Item) => ({ PutRequest: { Item } })),
        [stage.data.tables('SleepWindows')]: windows.map((Item) => ({ PutRequest: { Item } })),
      };
      for (const [table, puts] of Object.entries(RequestItems)) {
        await database.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
      }
    }
  };
  const page = () => cost(doctor.ask, 'GET', `/crm/patients/${userId}/timeline?limit=10`);
  await write(0, 100);
  const few = await page();
  // Of the check: account and staff of the caller, and account, consent with its newest record, and sites of the patient; a Query of
  // each domain; the look.
  expect(few.actions.filter((action) => action === 'Query')).toHaveLength(9);
  await write(100, 500);
  expect(await page()).toEqual(few);
  expect(few.read).toBeLessThanOrEqual(15);
  const answer = await doctor.ask('GET', `/crm/patients/${userId}/timeline?limit=10`);
  // The check, all the domains at once, the look.
  expect([(answer.body.items as unknown[]).length, roundTripsOf(answer).prod]).toEqual([10, 3]);
});

test('a page of FHIR reads what it shows, of 50 nights and of 300', async () => {
  const userId = randomUUID();
  const me = await as('patient', userId);
  const write = async (from: number, to: number) => {
    for (let index = from; index < to; index += 25) {
      const dates = Array.from({ length: 25 }, (_, offset) => addDays('2025-12-31', -(index + offset)));
      const puts = dates.map((date) => ({ PutRequest: { Item: { userId, ...diaryNight, date } } }));
      await database.send(new BatchWriteCommand({ RequestItems: { [stage.data.tables('SleepEntries')]: puts } }));
    }
  };
  const page = () => cost(me.ask, 'GET', '/users/me/fhir?_count=20');
  await write(0, 50);
  const few = await page();
  // The consents twice, the responses, the diary.
  expect(few.actions.filter((action) => action === 'Query')).toHaveLength(4);
  await write(50, 300);
  expect(await page()).toEqual(few);
  expect(few.read).toBeLessThanOrEqual(12);
  const answer = await me.ask('GET', '/users/me/fhir?_count=20');
  expect((answer.body.entry as unknown[]).length).toBe(20);
});

test('a search of sites and of staff is one Query, of 100 and of 1,000', async () => {
  const admin = await as('admin', randomUUID(), 'medinfo');
  const write = async (from: number, to: number) => {
    for (let index = from; index < to; index += 25) {
      const some = Array.from({ length: 25 }, (_, offset) => String(index + offset).padStart(5, '0'));
      const sites = some.map((each) => ({
        ...{ kind: 'name', siteKey: `many ${each} #s-${each}`, siteId: `s-${each}`, name: `Many ${each}`, code: 'C' },
        ...{ timezone: 'UTC', status: 'open', revision: 1, createdAt: '2026-01-01T00:00:00.000Z' },
      }));
      const staff = some.map((each) => ({
        ...{ part: '~names', place: `many ${each} #u-${each}`, userId: `u-${each}`, name: `Many ${each}`, title: null },
        ...{ specialties: [], siteIds: [], roles: null, status: 'active', revision: 1 },
      }));
      for (const [table, rows] of Object.entries({ Sites: sites, StaffDirectory: staff })) {
        const puts = rows.map((Item) => ({ PutRequest: { Item } }));
        await database.send(new BatchWriteCommand({ RequestItems: { [stage.data.tables(table)]: puts } }));
      }
    }
  };
  const searches = async () => [
    await cost(admin.ask, 'GET', '/crm/sites?name=MANY%20000&limit=20'),
    await cost(admin.ask, 'GET', '/crm/users?name=m%C3%A4ny&limit=20'),
  ];
  await write(0, 100);
  const few = await searches();
  const queries = few.map(({ actions }) => actions.filter((action) => action === 'Query').length);
  // With the staff's looks: whose site the caller works at is a Query of the log's.
  expect(queries).toEqual([1, 2]);
  await write(100, 1_000);
  expect(await searches()).toEqual(few);
});

test('a page of users reads what it shows, of 100 and of 2,000', async () => {
  const agent = await as('agent', randomUUID(), 'medinfo');
  const table = stage.data.tables('UserDirectory');
  const write = async (from: number, to: number) => {
    for (let index = from; index < to; index += 25) {
      const puts = Array.from({ length: 25 }, (_, offset) => {
        const userId = `user-${index + offset}`;
        const at = new Date(Date.UTC(2020, 0, 1) + (index + offset) * 60_000).toISOString();
        return {
          PutRequest: { Item: { list: 'status#disabled', entry: `${at}#${userId}`, userId, status: 'disabled' } },
        };
      });
      await database.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
    }
  };
  await write(0, 100);
  const page = ['GET', '/users?status=disabled&limit=20'] as const;
  const few = await cost(agent.ask, ...page);
  // Account, the list, and the profiles of the 20.
  expect(few.actions.toSorted()).toEqual(['BatchGetItem', 'BatchGetItem', 'Query', 'Query']);
  await write(100, 2000);
  expect(await cost(agent.ask, ...page)).toEqual(few);
  expect(few.read).toBeLessThanOrEqual(20 + 5);
});

test('an export is asked for in five calls and read in two, however many records there are', async () => {
  const asked = async ({ ask }: Awaited<ReturnType<typeof as>>) => {
    const { actions: _actions, ...first } = await cost(ask, 'POST', '/users/me/exports');
    const { exportId } = (await ask('POST', '/users/me/exports')).body;
    const { actions: _more, ...reading } = await cost(ask, 'GET', `/users/me/exports/${exportId}`);
    return { first, reading };
  };
  const few = await asked(await as('patient'));
  // Two rows, on condition of a third one; each with the two rows of the caller.
  expect(few).toEqual({
    first: { requests: 5, read: 4, write: 6 },
    reading: { requests: 2, read: 3, write: 0 },
  });
  expect(await asked(await withHistory(100))).toEqual(few);
});

describe('a summary', () => {
  /** A diary of so many days up to the date, and a night of a watch for each. */
  async function withNights(days: number, to: string) {
    const user = await as('patient');
    const rows = Array.from({ length: days }, (_, index) => addDays(to, -index)).flatMap((date) => {
      const content = contentOf(entryOf(date, { notes: 'x'.repeat(100) }));
      const stamp = { recordedAt: `${date}T08:00:00.000Z`, updatedAt: `${date}T08:00:00.000Z`, revision: 1 };
      const entry = { userId: user.userId, date, content, night: nightOf(date, content, 4), ...stamp };
      const episode = episodeOf({ ...watchNight(date), source: 'healthkit', stages: [] });
      const key = { userId: user.userId, episodeKey: `${date}#healthkit#${'0'.repeat(32)}` };
      return [
        ['SleepEntries', { ...entry, isDeleted: false, replacedAt: null, statedAt: null, fingerprint: 'f'.repeat(64) }],
        ['SleepEpisodes', { ...key, ...episode, zone: 'UTC', stages: '3:1800 '.repeat(60) }],
      ] as const;
    });
    for (let from = 0; from < rows.length; from += 24) {
      const puts = Map.groupBy(rows.slice(from, from + 24), ([table]) => stage.data.tables(table));
      const RequestItems = Object.fromEntries(
        [...puts].map(([table, items]) => [table, items.map(([, Item]) => ({ PutRequest: { Item } }))]),
      );
      await database.send(new BatchWriteCommand({ RequestItems }));
    }
    return user;
  }

  test('costs what its days cost, and nothing that was before them: a year is one Query of each table', async () => {
    const to = daysAgo(1);
    const [year, years] = [await withNights(365, to), await withNights(500, to)];
    const path = (days: number) => `/sleep/summary?from=${addDays(to, 1 - days)}&to=${to}`;
    const asked = await cost(year.ask, 'GET', path(365));
    expect(asked.actions.toSorted()).toEqual(['BatchGetItem', 'Query', 'Query']);
    expect(await cost(years.ask, 'GET', path(365))).toEqual(asked);
    // Two tables' 365 rows, together one and a half kilobytes a day.
    expect(asked.read).toBeLessThanOrEqual(143);
    expect((await cost(years.ask, 'GET', path(7))).read).toBeLessThanOrEqual(6);
  });
});

/** WHO-5, whose five answers are below a kilobyte. */
const who5 = {
  questionnaireId: 'who-5',
  version: '1.0',
  answers: [1, 2, 3, 4, 5].map((number) => ({ linkId: `who5-${number}`, choice: '3' })),
};
const response = '/questionnaires/responses/first';

test('the responses and what is due are one Query each, with 1 and 1,000 responses', async () => {
  const [few, many] = [await as('patient'), await as('patient')];
  for (const { ask } of [few, many]) {
    await ask('PUT', response, who5);
    await ask('POST', `${response}/complete`);
  }
  const table = stage.data.tables('QuestionnaireResponses');
  const { userId } = many;
  for (let from = 0; from < 1000; from += 8) {
    const puts = Array.from({ length: 8 }, (_, index) => {
      const responseId = `r-${from + index}`;
      const at = new Date(Date.UTC(2020, 0, 1) + (from + index) * 60_000).toISOString();
      const row = { userId, responseId, ...who5, completedAt: at, status: 'completed' };
      const parts = [`response#${responseId}`, `at#${at}#${responseId}`, `of#who-5#${at}#${responseId}`];
      return parts.map((part) => ({ PutRequest: { Item: { ...row, part } } }));
    });
    await database.send(new BatchWriteCommand({ RequestItems: { [table]: puts.flat() } }));
  }
  for (const path of ['/questionnaires/responses?limit=1', '/questionnaires/bundles']) {
    const [first, second] = [await cost(few.ask, 'GET', path), await cost(many.ask, 'GET', path)];
    expect({ path, ...second, actions: second.actions.toSorted() }).toEqual({
      path,
      ...first,
      actions: first.actions.toSorted(),
    });
  }
});

test('the units that the simulation counts with are those that are measured', async () => {
  const user = await as('patient');
  const { ask } = user;
  const [agent, service] = [
    await as('agent', randomUUID(), 'medinfo'),
    await as('integration', randomUUID(), 'sleepcare', 'integration'),
  ];
  const post = () => agent.ask('POST', `/users/${user.userId}/agent-board/messages`, { title: 'Title', body: 'Text' });
  const device = [
    'PUT',
    '/users/me/devices/d-1',
    { platform: 'android', token: randomUUID(), environment: 'production', appVersion: '1.0.0', locale: 'en' },
  ] as const;
  const check = ['GET', '/mobile/app-version/check?platform=ios&appVersion=1.0.0'] as const;
  const { messageId } = (await post()).body;
  const [admin, doctor] = [await as('admin', randomUUID(), 'medinfo'), await as('physician', randomUUID(), 'medinfo')];
  const site = (await admin.ask('POST', '/crm/sites', { name: 'Units', timezone: 'Europe/Berlin' })).body;
  await admin.ask('PUT', `/crm/sites/${site.siteId}/staff/${doctor.userId}`, { name: 'Dr. Units' });
  const put = (table: string, Item: object) =>
    database.send(new PutCommand({ TableName: stage.data.tables(table), Item: { ...Item } }));
  const { userId } = user;
  await put('SleepWindows', {
    userId,
    number: '0001',
    sequence: 1,
    releasedAt: '2026-01-01T00:00:00.000Z',
    ruleVersion: '1',
    bedTime: '00:30',
    week: { from: daysAgo(9), to: daysAgo(3), nights: 5, meanSleepMinutes: 360, efficiencyPercent: 80 },
    minutes: 360,
    risingTime: '06:30',
    from: daysAgo(2),
    because: [],
    ...{ by: 'physician', screening: null, replaces: null, isWithdrawn: false, proposalId: 'p' },
    ...{ startedOn: daysAgo(2), sleepyAt: null, lowMoodAt: null, excludedAt: null, sleepySuspensions: 0 },
  });
  const completed = { scores: [], amends: null, amendedBy: null, completedAt: '2026-01-01T00:00:00.000Z' };
  for (const name of ['ess', 'phq-9', 'sleep-window-screening'])
    await put('QuestionnaireResponses', { userId, part: `of#${name}#2026-01-01#r`, ...completed });
  await put('SleepinessSigns', { userId, sign: '2025-12-01T08:00:00.000Z#2025-12-01' });
  // However many there are, one is looked at.
  for (const name of ['a', 'b', 'c']) await put('QuestionnaireFlags', { part: `open#${userId}`, name });
  // Who has no state at all is answered by an empty Query, which some emulators count as nothing.
  await ask('POST', '/agreements/versions/terms-of-service-1.0/agree');
  // The first agree of a function also asks which agreement the version is of.
  await (await as('patient')).ask('POST', marketing.agree);
  const ofPatients = async () => {
    await ask('POST', '/agreements/versions/data-sharing-1.0/agree');
    return {
      listPatients: await cost(doctor.ask, 'GET', '/crm/patients'),
      readPatient: await cost(doctor.ask, 'GET', `/crm/patients/${user.userId}`),
      listAccessLog: await cost(ask, 'GET', '/users/me/access-log'),
      listPatientResponses: await cost(doctor.ask, 'GET', `/users/${user.userId}/questionnaires/responses`),
    };
  };
  const code = { code: 'XSADEVELOPERAAAQ' };
  // One entitlement is there: an empty Query, too, is counted as nothing by some.
  await ask('POST', '/access-codes/redeem', { code: 'XSADEVELOPERAABA' });
  await ask('PUT', '/questionnaires/responses/bundled', { ...who5, bundleId: 'well-being' });
  await ask('POST', '/questionnaires/responses/bundled/complete');
  // The version of the questionnaire is kept from then on.
  const other = await as('patient');
  await other.ask('PUT', response, who5);
  await other.ask('POST', `${response}/complete`);
  const measured: Record<MeasuredOperation, Units> = {
    checkAppVersion: await cost(ask, ...check),
    readMobileSettings: await cost(ask, 'GET', '/mobile/settings'),
    listAgreements: await cost(ask, 'GET', '/users/agreements'),
    agree: await cost(ask, 'POST', marketing.agree),
    revokeConsent: await cost(ask, 'DELETE', marketing.consent),
    readConsentState: await cost(service.ask, 'GET', `/users/${user.userId}/agreements/marketing/state`),
    listMessages: await cost(ask, 'GET', '/agent-board/messages'),
    markMessageRead: await cost(ask, 'POST', `/agent-board/messages/${messageId}/read`),
    validateAccessCode: await cost(ask, 'POST', '/access-codes/validate', code),
    redeemAccessCode: await cost(ask, 'POST', '/access-codes/redeem', code),
    listEntitlements: await cost(ask, 'GET', '/users/me/entitlements'),
    registerDevice: await cost(ask, ...device),
    joinSiteByCode: await cost(ask, 'POST', '/users/me/sites', { code: site.code }),
    listOwnSites: await cost(ask, 'GET', '/users/me/sites'),
    ...(await ofPatients()),
    leaveSite: await cost(ask, 'DELETE', `/users/me/sites/${site.siteId}`),
    putSleepEntry: await cost(ask, 'PUT', `/sleep/entries/${daysAgo(2)}`, entryOf(daysAgo(2))),
    readSleepWindow: await cost(ask, 'GET', '/sleep/window'),
    listDueBundles: await cost(ask, 'GET', '/questionnaires/bundles'),
    putQuestionnaireResponse: await cost(ask, 'PUT', response, who5),
    completeQuestionnaireResponse: await cost(ask, 'POST', `${response}/complete`),
    listQuestionnaireResponses: await cost(ask, 'GET', '/questionnaires/responses'),
    listQuestionnaireScores: await cost(ask, 'GET', '/questionnaires/scores'),
    openTicket: await cost(ask, 'POST', '/support/tickets', { subject: 'Subject', body: 'Text' }),
    listOwnTickets: await cost(ask, 'GET', '/support/tickets'),
  };
  await ask('PUT', `${response}-2`, who5);
  const { requests: asked, read, write } = await cost(ask, 'GET', '/questionnaires/responses?status=draft');
  expect([asked, read, write]).toEqual([2, 3, 0]);
  const figures = Object.entries(measured).map(([name, { requests, read, write }]) => [
    name,
    { requests, read, write },
  ]);
  expect(Object.fromEntries(figures)).toEqual(units);
});

test('what tickets cost the patient and staff: each list is one Query, and what is shown of a person is written down', async () => {
  const [me, agent] = [await as('patient'), await as('agent', randomUUID(), 'medinfo')];
  const figures = async ({ ask }: { ask: Ask }, method: string, path: string, body?: object, revision?: number) => {
    const seen = revision === undefined ? undefined : { 'If-Match': `"${revision}"` };
    const { requests, read, write } = await cost(ask, method, path, body, seen);
    return [requests, read, write];
  };
  const request = { subject: 'Subject', body: 'Text' };
  // First a ticket: without one the Query is empty, and some emulators count that as nothing.
  await me.ask('POST', '/support/tickets', request);
  const { ticketId } = (await me.ask('POST', '/support/tickets', request)).body;
  const [own, crm] = [`/support/tickets/${ticketId}`, `/crm/tickets/${ticketId}`];
  const [doctor, safety] = [
    await as('physician', randomUUID(), 'medinfo'),
    await as('clinical-safety', randomUUID(), 'medinfo'),
  ];
  const admin = await as('admin', randomUUID(), 'medinfo');
  const site = (await admin.ask('POST', '/crm/sites', { name: 'Urgent', timezone: 'Europe/Berlin' })).body;
  const siteId = String(site.siteId);
  await admin.ask('PUT', `/crm/sites/${siteId}/staff/${doctor.userId}`, { name: 'Dr. Urgent' });
  await me.ask('POST', '/users/me/sites', { code: site.code });
  await me.ask('POST', '/agreements/versions/data-sharing-1.0/agree');
  const raisedAt = '2026-01-01T00:00:00.000Z';
  const times = { raisedAt, recordedAt: raisedAt, receivedAt: raisedAt };
  for (const ticket of ['u-1', 'u-2']) {
    const row = { ticketId: ticket, userId: me.userId, flagId: ticket, responseId: 'r', siteId, ...times };
    const Item = { ...row, dueAt: '2026-01-01T01:00:00.000Z', acknowledgedAt: null, acknowledgedBy: null };
    const keys = [
      { part: `urgent#${ticket}`, name: 'ticket' },
      { part: 'urgent-safety', name: `${Item.dueAt}#${ticket}` },
      { part: `urgent-site#${siteId}`, name: `${raisedAt}#${ticket}` },
    ];
    for (const key of keys) {
      const TableName = stage.data.tables('UrgentTickets');
      await database.send(new PutCommand({ TableName, Item: { ...key, ...Item } }));
    }
  }
  const measured = {
    readOwnTicket: await figures(me, 'GET', own),
    listOwnTicketComments: await figures(me, 'GET', `${own}/comments`),
    addOwnTicketComment: await figures(me, 'POST', `${own}/comments`, { body: 'More' }),
    changeTicket: await figures(agent, 'PATCH', crm, { assigneeId: agent.userId, priority: 'high' }, 2),
    listTickets: await figures(agent, 'GET', `/crm/tickets?assigneeId=${agent.userId}`),
    readTicket: await figures(agent, 'GET', crm),
    listTicketComments: await figures(agent, 'GET', `${crm}/comments`),
    addTicketComment: await figures(agent, 'POST', `${crm}/comments`, { visibility: 'patient', body: 'Answer' }, 3),
    addInternalNote: await figures(agent, 'POST', `${crm}/comments`, { visibility: 'internal', body: 'Note' }, 4),
    transitionTicket: await figures(agent, 'POST', `${crm}/transition`, { to: 'solved' }, 5),
    addOwnTicketCommentThatReopens: await figures(me, 'POST', `${own}/comments`, { body: 'Not yet' }),
    listUrgentTicketsOfSites: await figures(doctor, 'GET', '/crm/site-urgent-tickets'),
    listUrgentTickets: await figures(safety, 'GET', '/crm/urgent-tickets'),
    acknowledgeUrgentTicket: await figures(safety, 'POST', '/crm/urgent-tickets/u-1/acknowledge'),
    acknowledgeUrgentTicketOfPatient: await figures(
      doctor,
      'POST',
      `/crm/patients/${me.userId}/urgent-tickets/u-2/acknowledge`,
    ),
  };
  expect(measured).toEqual({
    // With the account of the caller, and the sessions that have ended.
    readOwnTicket: [2, 3, 0],
    listOwnTicketComments: [3, 4, 0],
    // A ticket is listed in some six rows, each of which is written with it.
    addOwnTicketComment: [3, 3, 16],
    changeTicket: [6, 4, 24],
    listTickets: [4, 3, 2],
    readTicket: [4, 3, 2],
    listTicketComments: [5, 4, 2],
    // With the audit event, the message on the board and the look.
    addTicketComment: [8, 6, 32],
    addInternalNote: [6, 4, 22],
    transitionTicket: [5, 3, 26],
    addOwnTicketCommentThatReopens: [3, 3, 24],
    listUrgentTicketsOfSites: [8, 8, 2],
    listUrgentTickets: [4, 3, 2],
    acknowledgeUrgentTicket: [5, 3, 14],
    acknowledgeUrgentTicketOfPatient: [8, 8, 12],
  });
});

test('a ticket is counted at the same cost, however many are', async () => {
  const consumed = { requests: 0, read: 0, write: 0 };
  const { endpoint, region, credentials } = stage.data;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: Consumed | Consumed[] };
      const kind = 'TransactItems' in args.input ? 'write' : 'read';
      consumed.requests += 1;
      for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat()) consumed[kind] += CapacityUnits;
      return result;
    },
    { step: 'initialize', priority: 'high' },
  );
  const names = ['OverviewFigures', 'OverviewEntries', 'SupportTickets'] as const;
  const { SupportTickets: of, ...tables } = handlesNamed(client, names, stage.data.tables);
  const userId = randomUUID();
  const key = { part: `user#${userId}`, name: 'request#1' };
  const counted = async (state: string) => {
    await database.send(new PutCommand({ TableName: of.name, Item: { ...key, state } }));
    Object.assign(consumed, { requests: 0, read: 0, write: 0 });
    const Keys = Object.fromEntries(Object.entries(key).map(([name, S]) => [name, { S }]));
    await countBatch([{ dynamodb: { Keys } }], { tables, of, source: tickets });
    const { requests, read, write } = consumed;
    return [requests, read, write];
  };
  expect({
    new: await counted('new'),
    again: await counted('new'),
    open: await counted('open'),
  }).toEqual({
    // The generations, the entry and the row; the entry and the figure.
    new: [4, 3, 4],
    again: [3, 3, 0],
    // The figure that it leaves, too.
    open: [4, 3, 6],
  });
  client.destroy();
});

test('what sites, their staff and the directory cost: a change is one transaction, with each row by which it is found', async () => {
  const [admin, me] = [await as('admin', randomUUID(), 'medinfo'), await as('patient')];
  const doctor = await as('physician', randomUUID(), 'medinfo');
  const figures = async ({ ask }: { ask: Ask }, method: string, path: string, body?: object, revision?: number) => {
    const seen = revision === undefined ? undefined : { 'If-Match': `"${revision}"` };
    const { requests, read, write } = await cost(ask, method, path, body, seen);
    return [requests, read, write];
  };
  const made = { name: 'Cost', timezone: 'Europe/Berlin' };
  const { siteId, code } = (await admin.ask('POST', '/crm/sites', made)).body;
  const [site, post] = [`/crm/sites/${siteId}`, `/crm/sites/${siteId}/staff/${doctor.userId}`];
  const [own, entry] = [`/users/me/sites/${siteId}`, `/crm/users/${doctor.userId}`];
  await me.ask('POST', '/users/me/sites', { code });
  const measured = {
    createSite: await figures(admin, 'POST', '/crm/sites', made),
    readSite: await figures(admin, 'GET', site),
    listSites: await figures(admin, 'GET', '/crm/sites?name=cost&limit=1'),
    updateSite: await figures(admin, 'PATCH', site, { name: 'Price' }, 1),
    putSiteStaff: await figures(admin, 'PUT', post, { name: 'Dr. Cost' }),
    listSiteStaff: await figures(admin, 'GET', `${site}/staff`),
    readCrmUser: await figures(admin, 'GET', entry),
    updateCrmUser: await figures(admin, 'PATCH', entry, { title: 'Dr.' }, 2),
    listCrmUsers: await figures(admin, 'GET', '/crm/users?name=dr+cost&limit=1'),
    chooseMainSite: await figures(me, 'PATCH', own, { main: true }),
    removeSiteStaff: await figures(admin, 'DELETE', post),
  };
  await me.ask('DELETE', own);
  await admin.ask('PATCH', site, { status: 'closed' }, { 'If-Match': '"2"' });
  expect({ ...measured, deleteSite: await figures(admin, 'DELETE', site, undefined, 3) }).toEqual({
    // The site, its name, its code, the audit event, and that the account is open.
    createSite: [2, 2, 10],
    readSite: [2, 3, 0],
    listSites: [2, 3, 0],
    updateSite: [3, 3, 10],
    // The post and the name in three rows, the directory's two, the audit event, the look, and two conditions.
    putSiteStaff: [8, 7, 18],
    listSiteStaff: [6, 5, 2],
    readCrmUser: [4, 3, 2],
    updateCrmUser: [4, 3, 10],
    listCrmUsers: [4, 3, 2],
    chooseMainSite: [5, 5, 6],
    removeSiteStaff: [5, 4, 14],
    // Two Queries that find nobody, which cost next to nothing.
    deleteSite: [5, 3, 12],
  });
});

test('what accounts, sessions, users and staff cost', async () => {
  const signIn = async (application: Application, name: string): Promise<{ ask: Ask; refreshToken: string }> => {
    const { password } = seededUsers.find((user) => user.application === application && user.name === name) ?? {};
    const body = { grantType: 'password', username: name, password };
    const anybody = await as('patient');
    const answer = (
      await (application === 'sleepcare' ? anybody : await as('admin', randomUUID(), 'medinfo')).ask(
        ...(['POST', '/auth/tokens', body] as const),
      )
    ).body;
    const ask: Ask = async (method, path, sent, more = {}) => {
      const response = await fetch(`${stage.url}${deployments[application].basePath}${path}`, {
        method,
        headers: { Authorization: `Bearer ${answer.accessToken}`, 'Content-Type': 'application/json', ...more },
        ...(sent && { body: JSON.stringify(sent) }),
      });
      const { status, headers } = response;
      return { status, headers, body: (await response.json()) as Record<string, unknown> };
    };
    return { ask, refreshToken: String(answer.refreshToken) };
  };
  const figures = async ({ ask }: { ask: Ask }, ...request: Parameters<Ask>) => {
    const { requests, read, write } = await cost(ask, ...request);
    return [requests, read, write];
  };
  const [stranger, me] = [await as('patient'), await signIn('sleepcare', 'patient@example.com')];
  const other = await signIn('sleepcare', 'patient@example.com');
  const password = seededUsers.find(({ name }) => name === 'patient@example.com')?.password;
  const email = `${randomUUID()}@example.com`;
  const { userId } = (await me.ask('GET', '/users/me')).body;
  const sessions = (await me.ask('GET', '/auth/sessions')).body.items as { sessionId: string; isCurrent: boolean }[];
  const session = sessions.find(({ isCurrent }) => !isCurrent)?.sessionId;
  const admin = await signIn('medinfo', 'admin@example.com');
  const invitation = { email, name: 'Dr. Cost', roles: ['physician'], locale: 'en' };
  const signUp = { email, locale: 'en', timezone: 'Europe/Berlin' };
  const staffId = (await admin.ask('POST', '/admin/staff', { ...invitation, email: `x${email}` })).body.staffId;
  const measured = {
    requestSignUp: await figures(stranger, 'POST', '/users', signUp),
    forgotPassword: await figures(stranger, 'POST', '/auth/password/forgot', { email: 'patient@example.com' }),
    renew: await figures(stranger, 'POST', '/auth/tokens', {
      grantType: 'refresh_token',
      refreshToken: other.refreshToken,
    }),
    listSessions: await figures(me, 'GET', '/auth/sessions'),
    listOwnSignIns: await figures(me, 'GET', '/users/me/sign-ins'),
    endSession: await figures(me, 'DELETE', `/auth/sessions/${session}`),
    issueRecoveryCodes: await figures(me, 'POST', '/auth/recovery-codes', { password }),
    requestEmailChange: await figures(me, 'POST', '/users/me/email', { password, email: `new-${email}` }),
    readAppUser: await figures(admin, 'GET', `/users/${userId}`),
    listSignInsOfUser: await figures(admin, 'GET', `/users/${userId}/sign-ins`),
    signOutUser: await figures(admin, 'POST', `/users/${userId}/sign-out`),
    disableUser: await figures(admin, 'POST', `/users/${userId}/disable`),
    enableUser: await figures(admin, 'POST', `/users/${userId}/enable`),
    inviteStaff: await figures(admin, 'POST', '/admin/staff', invitation),
    listStaff: await figures(admin, 'GET', '/admin/staff?limit=3'),
    readStaff: await figures(admin, 'GET', `/admin/staff/${staffId}`),
    giveRole: await figures(admin, 'PUT', `/iam/users/${staffId}/roles/researcher`),
    takeRole: await figures(admin, 'DELETE', `/iam/users/${staffId}/roles/researcher`),
    disableStaff: await figures(admin, 'POST', `/admin/staff/${staffId}/disable`),
    readOverview: await figures(admin, 'GET', '/admin/overview'),
  };
  const { readOverview, ...others } = measured;
  // A counter for each thing that is counted, all at once. Tickets of other tests fill counters that are empty else.
  expect(readOverview).toEqual([26, expect.toBeOneOf([16, 17]), 0]);
  expect(others).toEqual({
    // A message in a queue: the codes and the limits are its consumer's.
    requestSignUp: [0, 0, 0],
    forgotPassword: [0, 0, 0],
    renew: [2, 1, 3],
    listSessions: [2, 4, 0],
    // Also for a closed account, but not for a session that has ended.
    listOwnSignIns: [2, 3, 0],
    // With the row that names what has ended, in the same transaction.
    endSession: [3, 3, 10],
    // Two reads and two writes are of the try of the password.
    issueRecoveryCodes: [6, 4, 12],
    requestEmailChange: [6, 5, 8],
    // The account, the profile, the entry, and the look.
    readAppUser: [5, 4, 2],
    // The account, the profile, the sign-ins, and the look.
    listSignInsOfUser: [5, 4, 2],
    // An end of all sessions first reads and writes that row. As each write here, with the look and that the account is open.
    signOutUser: [9, 7, 24],
    disableUser: [12, 10, 30],
    enableUser: [8, 7, 14],
    // The account is read again before the temporary password is set, and after it.
    inviteStaff: [11, 9, 18],
    // Each of three members of staff sees the look; one of them may be the caller.
    listStaff: expect.toBeOneOf([
      [5, 8, 10],
      [5, 6, 6],
    ]),
    readStaff: [5, 4, 2],
    giveRole: [8, 7, 14],
    // The end of the sessions is noted when it is done.
    takeRole: [12, 8, 26],
    disableStaff: [13, 9, 26],
  });
});

test('what courses cost, with one entitlement, and versions that the functions have read before', async () => {
  const [me, admin] = [await as('patient'), await as('admin', randomUUID(), 'medinfo')];
  const { ask } = me;
  const terms = { kind: 'clinic', programmeId: 'insomnia-basic', grantsDays: 90, redeemBy: '2098-12-31T23:59:59Z' };
  const { body } = await admin.ask('POST', '/access-codes/batches', { count: 1, ...terms });
  const [{ code } = { code: '' }] = body.codes as unknown as { code: string }[];
  await ask('POST', '/access-codes/redeem', { code });
  // An empty Query is counted as nothing by some emulators.
  await ask('PUT', response, { ...who5, bundleId: 'well-being' });
  const [first, second] = ['what-sleep-does', 'two-drives'].map((name) => `/learning/units/sleep-basics.${name}`);
  await ask('POST', `${first}/complete`);
  const moved = (percent: number) => [`${second}/progress`, { position: 10, percent }] as const;
  await ask('PUT', ...moved(10));
  const reads = ['/learning/courses', '/learning/courses/sleep-basics', `${first}`, '/learning/progress'];
  const night = daysAgo(1);
  expect((await ask('PUT', `/sleep/entries/${night}`, entryOf(night))).status).toBe(200);
  for (const path of [...reads, '/users/me/programme']) await ask('GET', path);
  const figures = async (...request: [string, string, object?]) => {
    const { requests, read, write } = await cost(ask, ...request);
    return [requests, read, write];
  };
  const measured = {
    listCourses: await figures('GET', reads[0] ?? ''),
    readCourse: await figures('GET', reads[1] ?? ''),
    readUnit: await figures('GET', reads[2] ?? ''),
    listLearningProgress: await figures('GET', reads[3] ?? ''),
    readProgramme: await figures('GET', '/users/me/programme'),
    putUnitProgress: await figures('PUT', ...moved(50)),
    putUnitProgressAgain: await figures('PUT', ...moved(50)),
    completeUnit: await figures('POST', `${second}/complete`),
  };
  expect(measured).toEqual({
    // Account, current versions, progress, profile, entitlements.
    listCourses: [5, 6, 0],
    readCourse: [5, 6, 0],
    readUnit: [5, 6, 0],
    listLearningProgress: [2, 3, 0],
    // The account, and ten at once, of which one is of three tables; with bundles read before. Without a window, the six
    // that it follows from find nothing.
    readProgramme: [11, 8, 0],
    putUnitProgress: [6, 6, 4],
    putUnitProgressAgain: [5, 6, 0],
    completeUnit: [6, 6, 4],
  });
});

test('groups cost the same with 1 and with 1,000 members; the queue has the rest', async () => {
  const admin = await as('admin', randomUUID(), 'medinfo');
  const groupOf = async (members: number) => {
    const { groupId } = (await admin.ask('POST', '/groups', { name: 'Units', kind: 'patients' })).body;
    const rows = Array.from({ length: members }, (_, index) => `m-${String(index).padStart(4, '0')}`);
    for (let from = 0; from < members; from += 25) {
      const puts = rows.slice(from, from + 25).map((userId) => ({
        PutRequest: { Item: { groupId, userId, since: '2026-01-01T00:00:00.000Z' } },
      }));
      await database.send(new BatchWriteCommand({ RequestItems: { [stage.data.tables('GroupMembers')]: puts } }));
    }
    return `/groups/${groupId}`;
  };
  const measured = async (group: string) => {
    const { userId } = await as('patient');
    const figures = async (method: string, path: string, body?: object) => {
      const { requests, read, write } = await cost(admin.ask, method, path, body);
      return [requests, read, write];
    };
    const said = { purpose: 'service', title: 'Title', body: 'Text' };
    return {
      putGroupMember: await figures('PUT', `${group}/members/${userId}`),
      listGroupMembers: await figures('GET', `${group}/members?limit=1`),
      listUserGroups: await figures('GET', `/users/${userId}/groups`),
      removeGroupMember: await figures('DELETE', `${group}/members/${userId}`),
      postGroupMessage: await figures('POST', `${group}/messages`, said),
      postGroupMessageBesideOne: await figures('POST', `${group}/messages`, said),
      listGroupMessages: await figures('GET', `${group}/messages`),
    };
  };
  const few = await measured(await groupOf(1));
  expect(few).toEqual({
    // A membership: its two rows, its count, the audit event, the entry in the access log, and that the account is open.
    putGroupMember: [7, 6, 12],
    listGroupMembers: [6, 5, 2],
    listUserGroups: [5, 4, 2],
    removeGroupMember: [5, 4, 12],
    // The message, its progress, what is under way, the audit event, and that the account is open.
    postGroupMessage: [4, 4, 10],
    postGroupMessageBesideOne: [5, 5, 10],
    listGroupMessages: [4, 6, 0],
  });
  expect(await measured(await groupOf(1000))).toEqual(few);
});

test('a study costs the same with 1 and with 1,000 participants', async () => {
  const researcher = await as('researcher', randomUUID(), 'medinfo');
  const studyOf = async (participants: number) => {
    const { studyId } = (await researcher.ask('POST', '/research/studies', definition)).body;
    const path = `/research/studies/${studyId}`;
    const { code } = (await researcher.ask('POST', `${path}/code`)).body;
    await researcher.ask('POST', `${path}/transition`, { to: 'recruiting' }, { 'If-Match': '"2"' });
    const rows = Array.from({ length: participants }, (_, index) => `p-${String(index).padStart(4, '0')}`);
    for (let from = 0; from < participants; from += 25) {
      const puts = rows.slice(from, from + 25).map((userId) => ({ PutRequest: { Item: { studyId, userId } } }));
      await database.send(new BatchWriteCommand({ RequestItems: { [stage.data.tables('Enrolments')]: puts } }));
    }
    const first = await as('patient');
    await first.ask('POST', researchAgreed);
    await first.ask('POST', own, { code });
    return { studyId: String(studyId), path, code: String(code) };
  };
  /** Of exports: one that is under way, and one that is done, whose addresses have an audit event. */
  const exportsMeasured = async (path: string, studyId: string) => {
    const figures = async (...request: Parameters<Ask>) => {
      const { requests, read, write } = await cost(researcher.ask, ...request);
      return [requests, read, write];
    };
    const requestResearchExport = await figures('POST', `${path}/exports`);
    const exportId = `${new Date().toISOString().replace(/[-:.]/g, '')}-done`;
    const Item = doneExport({ studyId, exportId });
    await database.send(new PutCommand({ TableName: stage.data.tables('ResearchExports'), Item }));
    const notice = { exportId, pseudonym: 'p', reason: 'left', action: 'keep', at: new Date().toISOString() };
    const row = { studyId, noticeKey: `${exportId}#keep#p`, ...notice };
    await database.send(new PutCommand({ TableName: stage.data.tables('ResearchExportNotices'), Item: row }));
    const { items } = (await researcher.ask('GET', `${path}/exports`)).body;
    const pending = (items as { exportId: string; status: string }[]).find(({ status }) => status === 'pending');
    return {
      requestResearchExport,
      listResearchExports: await figures('GET', `${path}/exports`),
      readResearchExport: await figures('GET', `${path}/exports/${pending?.exportId}`),
      readResearchExportThatIsDone: await figures('GET', `${path}/exports/${exportId}`),
      listResearchNotices: await figures('GET', `${path}/notices`),
    };
  };
  const measured = async ({ studyId, path, code }: { studyId: string; path: string; code: string }) => {
    const { ask } = await as('patient');
    await ask('POST', researchAgreed);
    // Who has none is answered by an empty Query, which some emulators count as nothing.
    await ask('POST', own, { code });
    await ask('DELETE', `${own}/${studyId}`);
    await ask('POST', researchAgreed);
    const figures = async (asked: Ask, ...request: Parameters<Ask>) => {
      const { requests, read, write } = await cost(asked, ...request);
      return [requests, read, write];
    };
    return {
      lookUpStudy: await figures(ask, 'POST', `${own}/lookup`, { code }),
      joinStudy: await figures(ask, 'POST', own, { code }),
      listOwnStudies: await figures(ask, 'GET', own),
      countParticipants: await figures(researcher.ask, 'GET', `${path}/participants`),
      leaveStudy: await figures(ask, 'DELETE', `${own}/${studyId}`),
      ...(await exportsMeasured(path, studyId)),
    };
  };
  const few = await measured(await studyOf(1));
  expect(few).toEqual({
    lookUpStudy: [5, 6, 0],
    // The two rows, the door, and that the consent and the account are what they were.
    joinStudy: [6, 6, 10],
    listOwnStudies: [4, 5, 0],
    countParticipants: [3, 4, 0],
    // The record of the revocation and its pointer, the two rows and the door.
    leaveStudy: [5, 5, 12],
    // The export, which one is the last, the audit event, and that the account is open.
    requestResearchExport: [4, 4, 8],
    listResearchExports: [3, 4, 0],
    // Nobody left: an empty Query, which some emulators count as nothing.
    readResearchExport: [3, 3, 0],
    // With the audit event of its addresses, and that the account is open.
    readResearchExportThatIsDone: [4, 3, 4],
    listResearchNotices: [3, 4, 0],
  });
  expect(await measured(await studyOf(1000))).toEqual(few);
});

test('agreeing and revoking are two round trips: the reads, and the transaction; one more for a version that is new', async () => {
  const { ask } = await as('patient');
  const trips = async (...request: Parameters<Ask>) => {
    const answer = await ask(...request);
    expect(answer.status).toBeLessThan(300);
    const { prod, withClock } = roundTripsOf(answer);
    // Nothing waits for the clock.
    expect(withClock).toBe(prod);
    return prod;
  };
  // Its first call also asks which agreement the version is of.
  await (await as('patient')).ask('POST', marketing.agree);
  expect(await trips('POST', marketing.agree)).toBe(2);
  expect(await trips('POST', marketing.agree)).toBe(1);
  expect(await trips('DELETE', marketing.consent)).toBe(2);
  // The newest record, which has to say so, too, is read beside the pointer.
  expect(await trips('DELETE', marketing.consent)).toBe(1);
  const several = { versionIds: ['marketing-1.0', 'research-data-1.0'] };
  await (await as('patient')).ask('POST', '/users/agreements', several);
  expect(await trips('POST', '/users/agreements', several)).toBe(2);

  const agreementId = `new-${randomUUID()}`;
  const versionId = `${agreementId}-1`;
  const from = '2026-01-01T00:00:00.000Z';
  const content = { title: 'New', contentUrl: 'https://example.com/new', contentHash: 'a'.repeat(64) };
  const rows = [
    agreementRow({ agreementId, application: 'sleepcare', title: 'New', isRequired: false, position: 900 }),
    versionRow('sleepcare', {
      versionId,
      agreementId,
      label: '1',
      changeType: 'major',
      defaultLocale: 'en',
      locales: { en: content },
      publishedAt: from,
      effectiveFrom: from,
      withdrawnAt: null,
    }),
    { application: namesPartition, catalogueKey: versionNameKey(versionId), owner: 'sleepcare', agreementId },
  ];
  const TableName = stage.data.tables('Agreements');
  for (const Item of rows) await database.send(new PutCommand({ TableName, Item }));
  expect(await trips('POST', `/agreements/versions/${versionId}/agree`)).toBe(3);
  await ask('DELETE', `/users/agreements/${agreementId}/consent`);
  expect(await trips('POST', `/agreements/versions/${versionId}/agree`)).toBe(2);
});
