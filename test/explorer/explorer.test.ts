import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';
import { policyOf, stand } from '../../lib/explore/explore.ts';
import { isLinearizable } from '../../lib/explore/linearizable.ts';
import { anyConflict, PartialOrder } from '../../lib/explore/order.ts';
import { openPlatform } from '../../lib/explore/platform.ts';
import { Rows } from '../../lib/explore/rows.ts';
import { runOnce } from '../../lib/explore/run.ts';
import { changedUnseen, noteSeen, type Seen } from '../../lib/explore/unseen-writes.ts';
import { twoPhones } from '../consents/explored/two-phones.ts';

/** The explorer itself: it is deterministic, and names what it cannot decide. explorer.slow.test.ts plants a race. */

const platform = openPlatform(root, declarations, 'prod');

test('a seed is one story, whatever ran before it', async () => {
  const { scenario, state, steps } = await stand(platform, twoPhones);
  const story = async (seed: number) => {
    const ran = await runOnce(platform, scenario, state, policyOf(scenario, seed, steps), { hasStory: true });
    return [ran.order, ran.steps, ran.violation];
  };
  const first = await story(7);
  await story(8);
  expect(await story(7)).toEqual(first);
});

test.each([
  ['reads a file', `import { readFile } from 'node:fs/promises';\nawait readFile('x');`, /node:fs\/promises readFile/],
  ['asks the network', `await fetch('http://127.0.0.1');`, /fetch would wait/],
  [
    'waits for a promise that nothing settles',
    'await new Promise(() => {});',
    /phone [AB] waits for something that the scheduler does not decide/,
  ],
])('a function that %s fails the run by name', async (_, code, message) => {
  const file = join(root, 'functions/consents/handlers/agree.ts');
  const [imports = '', body = code] = code.startsWith('import') ? code.split('\n') : ['', code];
  const text = `${imports}\nexport const handler = async () => { ${body} };`;
  const planted = openPlatform(root, declarations, 'prod', new Map([[file, text]]));
  await expect(stand(planted, twoPhones)).rejects.toThrow(message);
});

test('calls of one item conflict unless both read; a query conflicts with each row of its partition', () => {
  const item = (sort: string, writes: boolean) => [{ place: 'Rows', partition: 'a', sort, writes }];
  const partition = [{ place: 'Rows', partition: 'a', writes: false }];
  expect(anyConflict(item('1', true), item('1', false))).toBe(true);
  expect(anyConflict(item('1', false), item('1', false))).toBe(false);
  expect(anyConflict(item('1', true), item('2', true))).toBe(false);
  expect(anyConflict(item('1', true), partition)).toBe(true);
  expect(anyConflict(item('1', true), [{ place: 'Rows', partition: 'b', writes: true }])).toBe(false);
});

test('two orders of calls that commute are one; of calls that conflict they are two', () => {
  const hashOf = (steps: readonly (readonly [actor: string, sort: string])[]) => {
    const order = new PartialOrder();
    for (const [actor, sort] of steps) {
      order.add(actor, 'put', `${actor} ${sort}`, [{ place: 'Rows', partition: 'a', sort, writes: true }], new Set());
    }
    return order.hash;
  };
  expect(
    hashOf([
      ['one', '1'],
      ['other', '2'],
    ]),
  ).toBe(
    hashOf([
      ['other', '2'],
      ['one', '1'],
    ]),
  );
  expect(
    hashOf([
      ['one', '1'],
      ['other', '1'],
    ]),
  ).not.toBe(
    hashOf([
      ['other', '1'],
      ['one', '1'],
    ]),
  );
});

describe('a write under a condition', () => {
  const TableName = 'Rows';
  const row = (revision: string, more = {}) => ({ id: { S: 'a' }, revision: { N: revision }, ...more });
  const put = (revision: string, more = {}) => ({
    TableName,
    Item: row(revision),
    ConditionExpression: always,
    ...more,
  });
  const always = 'revision = :read OR attribute_not_exists(zzNone)';
  const values = { ExpressionAttributeValues: { ':read': { N: '1' } } };

  /** @param isRead whether the writer reads the row @param between what another one does then @returns what the writer has not seen */
  async function written(action: string, input: object, isRead: boolean, between?: object) {
    const rows = new Rows(Rows.empty([{ name: TableName, partitionKey: 'id' }]), () => 0);
    await rows.execute('PutItem', { TableName, Item: row('1', { count: { N: '1' } }) });
    const seen: Seen = new Map();
    const get = { action: 'GetItem', input: { TableName, Key: { id: { S: 'a' } } } };
    if (isRead) noteSeen(seen, rows, { ...get, output: {} }, {});
    if (between) await rows.execute('PutItem', { TableName, Item: between });
    const from = rows.written.length;
    await rows.execute(action, { ...input });
    return changedUnseen(seen, rows, action, { ...input }, rows.written.slice(from));
  }

  test('is found where the row is not as its writer has read it, or was never read', async () => {
    const input = { ...put('2'), ...values };
    expect(await written('PutItem', input, true)).toEqual([]);
    expect(await written('PutItem', input, true, row('2', { by: { S: 'b' } }))).toEqual(['Rows revision']);
    expect(await written('PutItem', input, false)).toEqual(['Rows']);
    const transaction = { TransactItems: [{ Put: input }] };
    expect(await written('TransactWriteItems', transaction, true, row('3'))).toEqual(['Rows revision']);
  });

  test('is none where it has no condition, computes from what is there, or changes nothing', async () => {
    const { ConditionExpression: _, ...plain } = put('2');
    expect(await written('PutItem', plain, false)).toEqual([]);
    const update = {
      TableName,
      Key: { id: { S: 'a' } },
      UpdateExpression: 'ADD #count :one',
      ConditionExpression: '#count < :most',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':one': { N: '1' }, ':most': { N: '9' } },
    };
    expect(await written('UpdateItem', update, true, row('1', { count: { N: '5' } }))).toEqual([]);
  });
});

test('a history is linearizable only if an order explains it that respects real time', () => {
  const write = (value: number, begun: number, ended: number) => ({ begun, ended, isOpen: false, apply: () => value });
  const read = (value: number, begun: number, ended: number) => ({
    begun,
    ended,
    isOpen: false,
    apply: (state: number) => (state === value ? state : undefined),
  });
  const any = () => true;
  expect(isLinearizable(0, [write(1, 0, 5), read(1, 1, 2), read(1, 3, 4)], any)).toBe(true);
  expect(isLinearizable(0, [write(1, 0, 5), read(1, 1, 2), read(0, 3, 4)], any)).toBe(false);
  expect(isLinearizable(0, [write(1, 0, 1), read(0, 2, 3)], any)).toBe(false);
  // A call without an answer may have had its effect, or not.
  expect(isLinearizable(0, [{ ...write(1, 0, 9), isOpen: true }, read(0, 2, 3)], any)).toBe(true);
});
