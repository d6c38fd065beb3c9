import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { newUser, type User } from '../../functions/users/rules/profile.ts';
import { createUser, findByEmail, meetUser, updateUser } from '../../functions/users/stores/users.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import type { Fault } from '../../lib/local/dynamodb/front.ts';
import { Failure } from '../../lib/runtime/failure.ts';
import { callLimits } from '../../lib/runtime/limits.ts';
import { localTables } from '../local-tables.ts';

let faults: ((action: string) => Fault | undefined) | undefined;
const { client, tables } = await localTables(
  ['Users'],
  { maxAttempts: callLimits.maxAttempts },
  { intercept: ({ action }) => faults?.(action) },
);
const { Users: table } = tables;
const now = new Date('2026-03-01T12:00:00.000Z');

beforeEach(() => {
  faults = undefined;
});

function someone(email: string | null = `${randomUUID()}@example.com`, application = 'sleepcare'): User {
  return newUser({ userId: randomUUID(), application, now }, { username: randomUUID(), email });
}

const meet = (user: User, make = async () => user) => meetUser(table, user.userId, make, { pause: async () => {} });

describe('the first sight of a user', () => {
  test('makes one, and asks the pool only then', async () => {
    const user = someone();
    let asked = 0;
    const make = async () => {
      asked += 1;
      return user;
    };
    expect(await meet(user, make)).toEqual(user);
    expect(await meet(user, make)).toEqual(user);
    expect(asked).toBe(1);
  });

  test('twenty at once make one user, and all get this user', async () => {
    const user = someone();
    const seen = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        meet(user, async () => ({ ...user, createdAt: new Date(now.getTime() + i).toISOString() })),
      ),
    );
    expect(new Set(seen.map((one) => one?.createdAt)).size).toBe(1);
    const { Items = [] } = await client.send(new ScanCommand({ TableName: table.name, ConsistentRead: true }));
    expect(Items.filter(({ userId, owner }) => userId === user.userId || owner === user.userId)).toHaveLength(2);
  });

  test('fails while the pool is down: nothing is written, and a known user still gets an answer', async () => {
    const down = async () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }));
    const stranger = someone();
    await expect(meet(stranger, down)).rejects.toThrow('down');
    expect((await client.send(new GetCommand({ TableName: table.name, Key: { userId: stranger.userId } }))).Item).toBe(
      undefined,
    );
    const known = someone();
    await meet(known);
    expect(await meet(known, down)).toEqual(known);
  });

  test('whose answer is lost leaves one user', async () => {
    const user = someone();
    let lost = false;
    faults = (action) => {
      if (action !== 'TransactWriteItems' || lost) return undefined;
      lost = true;
      return 'lose-response';
    };
    expect(await meet(user)).toEqual(user);
    expect(lost).toBe(true);
  });

  test('in a table that is too busy for long is unavailable', async () => {
    faults = (action) => (action === 'TransactWriteItems' ? 'conflict' : undefined);
    await expect(meet(someone())).rejects.toEqual(new Failure(Unavailable));
  });
});

describe('an erased user', () => {
  const erased = async () => {
    const user = someone();
    await client.send(
      new PutCommand({ TableName: table.name, Item: { userId: user.userId, erasedAt: now.toISOString() } }),
    );
    return user;
  };

  test('is never made again', async () => {
    const user = await erased();
    const never = async () => Promise.reject(new Error('the pool was asked'));
    expect(await meet(user, never)).toBe(null);
    expect(await createUser(table, user)).toBe(false);
    expect(await findByEmail(table, 'sleepcare', user.email ?? '')).toBe(null);
  });

  test('a user who is erased between two requests is not created by the second', async () => {
    const user = someone();
    const erasedMeanwhile = async () => {
      await client.send(
        new PutCommand({ TableName: table.name, Item: { userId: user.userId, erasedAt: now.toISOString() } }),
      );
      return user;
    };
    expect(await meet(user, erasedMeanwhile)).toBe(null);
  });

  test('is not changed', async () => {
    const { userId } = await erased();
    expect(await updateUser(table, userId, { locale: 'de' })).toBe(null);
    expect(await updateUser(table, userId, {})).toBe(null);
  });
});

describe('a change', () => {
  test('changes only what is named', async () => {
    const user = someone();
    await meet(user);
    expect(await updateUser(table, user.userId, { locale: 'de' })).toEqual({ ...user, locale: 'de' });
    expect(await updateUser(table, user.userId, { timezone: 'Europe/Berlin' })).toEqual({
      ...user,
      locale: 'de',
      timezone: 'Europe/Berlin',
    });
    expect(await updateUser(table, user.userId, { locale: null })).toMatchObject({ locale: null });
  });

  test('of an unknown user makes no user', async () => {
    const userId = randomUUID();
    expect(await updateUser(table, userId, { locale: 'de' })).toBe(null);
    expect((await client.send(new GetCommand({ TableName: table.name, Key: { userId } }))).Item).toBe(undefined);
  });
});

describe('an address', () => {
  test('is found in any case, only in its application', async () => {
    const user = someone('Some.One@example.com');
    await meet(user);
    expect(await findByEmail(table, 'sleepcare', 'some.one@EXAMPLE.com')).toEqual(user);
    expect(await findByEmail(table, 'medinfo', 'some.one@example.com')).toBe(null);
    expect(await findByEmail(table, 'sleepcare', 'someone@example.com')).toBe(null);
  });

  test('belongs to the user who was made last: the pool gave it to nobody else before', async () => {
    const [first, second] = [someone('again@example.com'), someone('again@example.com')];
    await meet(first);
    await meet(second);
    expect(await findByEmail(table, 'sleepcare', 'again@example.com')).toEqual(second);
  });

  test('is in no key of the table', async () => {
    const user = someone('canary@example.com');
    await meet(user);
    const { Items = [] } = await client.send(new ScanCommand({ TableName: table.name }));
    expect(Items.filter(({ userId }) => String(userId).includes('canary'))).toEqual([]);
  });

  test('that the pool does not have belongs to nobody', async () => {
    const user = someone(null);
    await meet(user);
    expect(await findByEmail(table, 'sleepcare', 'null')).toBe(null);
  });
});

test('an address is looked up by the row of its owner, not by what is left of an older one', async () => {
  const user = someone();
  await meet(user);
  expect(await findByEmail(table, 'sleepcare', user.email ?? '')).toEqual(user);
  await client.send(new PutCommand({ TableName: table.name, Item: { ...user, email: 'moved@example.com' } }));
  expect(await findByEmail(table, 'sleepcare', user.email ?? '')).toBeNull();
});
