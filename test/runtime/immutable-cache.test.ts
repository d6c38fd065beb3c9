import { expect, test, vi } from 'vitest';
import { keep } from '../../lib/runtime/immutable-cache.ts';

test('a value that was read once is not read again by the same client', async () => {
  const kept = keep<string>(2);
  const client = {};
  const read = vi.fn(async () => 'value');
  expect(await kept(client, 'key', read)).toBe('value');
  expect(await kept(client, 'key', read)).toBe('value');
  expect(read).toHaveBeenCalledTimes(1);
});

test('another client reads for itself, under the same key', async () => {
  const kept = keep<string>(2);
  await kept({}, 'key', async () => 'one');
  expect(await kept({}, 'key', async () => 'other')).toBe('other');
});

test('a missing value is read again, and a failure is not cached', async () => {
  const kept = keep<string>(2);
  const client = {};
  expect(await kept(client, 'key', async () => null)).toBeNull();
  await expect(kept(client, 'key', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await kept(client, 'key', async () => 'there')).toBe('there');
});

test('it never keeps more values than its limit', async () => {
  const kept = keep<number>(2);
  const client = {};
  const read = vi.fn(async () => 1);
  for (const key of ['a', 'b', 'c']) await kept(client, key, read);
  await kept(client, 'a', read);
  expect(read).toHaveBeenCalledTimes(4);
});
