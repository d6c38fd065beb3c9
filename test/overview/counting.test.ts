import { setImmediate } from 'node:timers/promises';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { relistUsers } from '../../functions/app-users/jobs/relist-users.ts';
import { entryKey } from '../../functions/app-users/rules/directory.ts';
import { listUser } from '../../functions/app-users/workflows/list-user.ts';
import { rebuildOverview } from '../../functions/overview/jobs/rebuild-overview.ts';
import {
  activeOn,
  entitlements,
  lastWeeks,
  questionnaires,
  sleepEntries,
  tickets,
  users,
  weekOf,
} from '../../functions/overview/rules/sources.ts';
import { eraseEntries } from '../../functions/overview/stores/erase-entries.ts';
import { generationsKey, readFigures } from '../../functions/overview/stores/figure-rows.ts';
import { countBatch } from '../../functions/overview/workflows/count-things.ts';
import { beginGeneration, finishGeneration, readGenerations } from '../../functions/statistics/exports.ts';
import { localTables } from '../local-tables.ts';
import { partition } from '../partition.ts';

/** The overview and the lists on the local DynamoDB; what the streams tell and when is the test's. */

const names = [
  'OverviewFigures',
  'OverviewEntries',
  'Users',
  'UserDirectory',
  'Entitlements',
  'QuestionnaireResponses',
  'SleepEntries',
  'SupportTickets',
] as const;
const options = { retries: 50, pause: () => setImmediate() };

const { client, tables } = await localTables(names, { maxAttempts: 1 });

const told = (keys: Record<string, string>): DynamoDBRecord => ({
  dynamodb: { Keys: Object.fromEntries(Object.entries(keys).map(([name, S]) => [name, { S }])) },
});
const hear = (...keys: Record<string, string>[]) =>
  countBatch(keys.map(told), { tables, of: tables.SleepEntries, source: sleepEntries, options });
const write = (userId: string, date: string, isDeleted = false) =>
  client.send(new PutCommand({ TableName: 'SleepEntries', Item: { userId, date, content: {}, isDeleted } }));
const rebuild = () => rebuildOverview({ tables, progress: () => {} });
const figures = async (prefix: string) => {
  const { current } = await readGenerations({ table: tables.OverviewFigures, key: generationsKey });
  const found = await readFigures(tables.OverviewFigures, current, prefix);
  return Object.fromEntries([...found].filter(([, count]) => count !== 0));
};

test('weeks are those of ISO 8601, also where the year ends', () => {
  const days = ['2026-11-22', '2026-11-23', '2024-12-30', '2027-01-03', '2021-01-03', '2020-12-31'];
  expect(days.map(weekOf)).toEqual(['2026-W47', '2026-W48', '2025-W01', '2026-W53', '2020-W53', '2020-W53']);
  expect(lastWeeks(new Date('2027-01-05T00:00:00Z'), 3)).toEqual(['2026-W52', '2026-W53', '2027-W01']);
});

test('active entitlements have begun and not ended by the day', () => {
  const counts = new Map([
    ['entitlements#from#2026-01-01', 3],
    ['entitlements#from#2026-03-01', 1],
    ['entitlements#until#2026-02-01', 2],
  ]);
  expect(['2025-12-31', '2026-01-01', '2026-02-01', '2026-03-01'].map((day) => activeOn(day, counts))).toEqual([
    0, 3, 1, 2,
  ]);
});

test('of questionnaires the first reminder and the completed response count, and no other row', () => {
  const thing = (part: string) => questionnaires.thingOf({ userId: 'u', part })?.id ?? null;
  expect(
    ['reminder#o#start', 'reminder#o#end', 'response#r', 'at#2026#r', 'of#q#2026#r', 'occurrence#o#q'].map(thing),
  ).toEqual(['reminder#o#start', null, 'response#r', null, null, null]);
  const of = (row: object) => questionnaires.figuresOf({ part: 'response#r', ...row });
  expect([of({}), of({ completedAt: null }), of({ completedAt: '2026-11-22T00:00:00Z' })]).toEqual([
    [],
    [],
    ['questionnaires#done#2026-W47'],
  ]);
});

test('a ticket counts by the row of its patient, and no other row of it does', () => {
  const thing = (part: string, name: string) => tickets.thingOf({ part, name });
  expect(thing('user#u', 'request#t')).toEqual({ userId: 'u', id: 't' });
  expect(tickets.keyOf({ userId: 'u', id: 't' })).toEqual({ part: 'user#u', name: 'request#t' });
  expect(tickets.figuresOf({ state: 'solved' })).toEqual(['tickets#state#solved']);
  const others = [
    ['ticket#t', 'ticket'],
    ['user#u', 'unsolved'],
    ['user#u', 'urgent#t'],
    ['state#new', '2026#t'],
    ['urgent#t', 'ticket'],
  ] as const;
  expect(others.map(([part, name]) => thing(part, name))).toEqual(others.map(() => null));
});

test('an entitlement that ends earlier than it was to is active until then', () => {
  const row = { startsAt: '2026-01-01T10:00:00.000Z', endsAt: '2026-03-01T10:00:00.000Z' };
  const active = (day: string, endsAt: string) =>
    activeOn(day, new Map(entitlements.figuresOf({ ...row, endsAt }).map((figure) => [figure, 1])));
  expect([active('2026-02-01', row.endsAt), active('2026-02-01', '2026-01-20T10:00:00.000Z')]).toEqual([1, 0]);
});

describe('exactly once', () => {
  test('changes that come twice, late, in another order or to two consumers at once leave the counts of the rows', async () => {
    const dates = Array.from({ length: 20 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`);
    const keys = dates.map((date) => ({ userId: 'u-1', date }));
    for (const date of dates) await write('u-1', date);
    await Promise.all([hear(...keys), hear(...keys.toReversed()), hear(...keys.slice(5, 9))]);
    await write('u-1', '2026-03-02', true);
    await client.send(new DeleteCommand({ TableName: 'SleepEntries', Key: { userId: 'u-1', date: '2026-03-03' } }));
    await Promise.all([hear(...keys), hear(...keys)]);
    await hear(...keys.slice(0, 4));
    const left = dates.filter((date) => !['2026-03-02', '2026-03-03'].includes(date));
    const weeks = Map.groupBy(left, (date) => `sleep#week#${weekOf(date)}`);
    const wanted = Object.fromEntries([...weeks].map(([figure, all]) => [figure, all.length]));
    expect(await figures('sleep#')).toEqual(wanted);
  });

  test('a rebuild counts what no stream reported, while the stream continues, and leaves no earlier rows', async () => {
    await write('u-2', '2026-05-04');
    const ticket = { part: 'user#u-2', name: 'request#t', state: 'pending' };
    await client.send(new PutCommand({ TableName: 'SupportTickets', Item: ticket }));
    await client.send(
      new PutCommand({
        TableName: 'OverviewFigures',
        Item: { generation: '1', figure: 'sleep#week#2026-W19', count: 41 },
      }),
    );
    const [{ generation }] = await Promise.all([
      rebuild(),
      write('u-2', '2026-05-05').then(() => hear({ userId: 'u-2', date: '2026-05-05' })),
    ]);
    await hear({ userId: 'u-2', date: '2026-05-05' });
    expect((await figures('sleep#week#2026-W19'))['sleep#week#2026-W19']).toBe(2);
    expect(await figures('tickets#')).toEqual({ 'tickets#state#pending': 1 });
    expect(await readFigures(tables.OverviewFigures, 1, '')).toEqual(new Map());
    const entries = await partition(client, 'OverviewEntries', { userId: 'u-2' });
    const counted = ['sleep#2026-05-04', 'sleep#2026-05-05', 'tickets#t'];
    expect(entries.map(({ entry }) => entry)).toEqual(counted.map((thing) => `${generation}#${thing}`));
  });

  test.each([
    ['in the next generation', (current: number) => [current + 1, { current, counting: null }] as const],
    [
      'in that of an interrupted rebuild',
      (current: number) => [current + 7, { current, counting: current + 7 }] as const,
    ],
    ['where no row says which one is read', () => [2, {}] as const],
    ['where a text says it', () => [2, { current: '1', counting: null }] as const],
  ])('a rebuild counts nothing that somebody planted %s', async (_case, planted) => {
    const { current } = await readGenerations({ table: tables.OverviewFigures, key: generationsKey });
    const figure = 'sleep#week#2026-W19';
    const [generation, says] = planted(current);
    for (const Item of [
      { generation: String(generation), figure, count: 5000 },
      { generation: 'generations', figure: 'current', count: 5000, ...says },
    ]) {
      await client.send(new PutCommand({ TableName: 'OverviewFigures', Item }));
    }
    await hear({ userId: 'u-2', date: '2026-05-05' });
    await rebuild();
    expect((await figures(figure))[figure]).toBe(2);
    expect(await readFigures(tables.OverviewFigures, generation, '')).toEqual(new Map());
  });

  test('of two rebuilds the one that was begun last is read, and the other one says so', async () => {
    const row = { table: tables.OverviewFigures, key: generationsKey };
    const [one, other] = [await beginGeneration(row), await beginGeneration(row)];
    await expect(finishGeneration(row, one)).rejects.toThrow('another rebuild');
    await finishGeneration(row, other);
    expect(await readGenerations(row)).toEqual({ current: other, counting: null });
    await rebuild();
  });

  test('an erasure removes a person from the counts, once', async () => {
    const before = await figures('sleep#');
    await write('u-3', '2026-05-06');
    await hear({ userId: 'u-3', date: '2026-05-06' });
    const erased = { userId: 'u-3', erasedAt: '2026-06-01T00:00:00.000Z' };
    await client.send(new DeleteCommand({ TableName: 'SleepEntries', Key: { userId: 'u-3', date: '2026-05-06' } }));
    await Promise.all([eraseEntries({ tables } as never, erased), hear({ userId: 'u-3', date: '2026-05-06' })]);
    await eraseEntries({ tables } as never, erased);
    expect(await figures('sleep#')).toEqual(before);
  });
});

describe('the lists', () => {
  const profile = { application: 'sleepcare', createdAt: '2026-11-20T10:00:00.000Z', email: null };
  const listed = async (list: string) => {
    const entries = await partition(client, 'UserDirectory', { list });
    return entries.map(({ userId }) => userId);
  };

  test('have a user of the app once, after ten looks at once, and no member of staff', async () => {
    await client.send(new PutCommand({ TableName: 'Users', Item: { userId: 'p-1', ...profile } }));
    await client.send(
      new PutCommand({ TableName: 'Users', Item: { userId: 's-1', ...profile, application: 'medinfo' } }),
    );
    await Promise.all(Array.from({ length: 10 }, () => listUser({ tables }, 'p-1', options)));
    await listUser({ tables }, 's-1', options);
    expect([await listed('all'), await listed('status#active')]).toEqual([['p-1'], ['p-1']]);
    await countBatch([told(entryKey('p-1')), told({ list: 'all', entry: 'x' })], {
      tables,
      of: tables.UserDirectory,
      source: users,
      options,
    });
    expect(await figures('users#')).toEqual({ 'users#status#active': 1, 'users#week#2026-W47': 1 });
  });

  test('are put in order by the command, also for users that no stream has reported', async () => {
    await client.send(new PutCommand({ TableName: 'Users', Item: { userId: 'p-2', ...profile } }));
    await client.send(new PutCommand({ TableName: 'Users', Item: { userId: 'email#x', owner: 'p-2' } }));
    // Of the app and of the staff, without the row of an address.
    expect(await relistUsers({ tables })).toBe(3);
    expect(await listed('all')).toEqual(['p-1', 'p-2']);
    await client.send(new DeleteCommand({ TableName: 'Users', Key: { userId: 'p-2' } }));
    await relistUsers({ tables });
    expect(await listed('all')).toEqual(['p-1']);
  });

  test('no longer have an erased user', async () => {
    await client.send(
      new PutCommand({ TableName: 'Users', Item: { userId: 'p-1', erasedAt: '2026-11-21T00:00:00.000Z' } }),
    );
    await listUser({ tables }, 'p-1', options);
    expect([await listed('all'), await listed('status#active'), await listed('user#p-1')]).toEqual([[], [], []]);
  });
});
