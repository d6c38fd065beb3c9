import { describe, expect, test } from 'vitest';
import { onceOf, rowOf, verdictOn } from '../../functions/idempotency/rules/once.ts';
import { idempotencyHeaders } from '../../functions/idempotency/schemas.ts';

const route = { method: 'POST', path: '/things' };
const now = new Date('2026-03-01T12:00:00.000Z');
const asked = {
  application: 'medinfo',
  caller: { userId: 'agent' },
  headers: { 'idempotency-key': 'key-1' },
  params: { id: 'a' },
  body: { title: 'One', text: 'Two' },
};

function once(more: object = {}, at = route) {
  const made = onceOf(at, { ...asked, ...more }, now);
  if (!made) throw new Error('there is a key');
  return made;
}

test('without a key there is nothing to remember', () => {
  expect(onceOf(route, { ...asked, headers: {} }, now)).toBeNull();
});

test.each([
  ['key', { headers: { 'idempotency-key': 'key-2' } }, route],
  ['caller', { caller: { userId: 'other' } }, route],
  ['application', { application: 'sleepcare' }, route],
  ['route', {}, { ...route, path: '/others' }],
])('another %s is another request', (_name, more, at) => {
  expect(once(more, at).keyId).not.toBe(once().keyId);
});

test('what is kept has neither the key, nor the caller, nor what was asked for in it', () => {
  const row = JSON.stringify(rowOf(once(), { id: 'made' }));
  for (const text of ['key-1', 'agent', 'One', 'Two']) expect(row).not.toContain(text);
});

describe('the same key', () => {
  const row = rowOf(once(), { id: 'made' });
  const later = (seconds: number) => ({ ...once(), realNow: new Date(now.getTime() + seconds * 1000) });

  test.each([
    ['at once', once(), 'repeated'],
    ['with its fields in another order', once({ body: { text: 'Two', title: 'One' } }), 'repeated'],
    ['a second before a day is over', later(86_399), 'repeated'],
    ['after a day', later(86_400), 'new'],
    ['with another body', once({ body: { title: 'One', text: 'Three' } }), 'reused'],
    ['for another resource of the route', once({ params: { id: 'b' } }), 'reused'],
    ['with another body, after a day', { ...later(86_400), fingerprint: 'other' }, 'new'],
  ])('%s', (_name, again, verdict) => {
    expect(verdictOn(row, again)).toBe(verdict);
  });
});

describe('the header', () => {
  const read = (text: string) => idempotencyHeaders.safeParse({ 'idempotency-key': text });

  test.each([
    ['key-1', 'key-1'],
    ['8e03978e-40d5-43e8-bc93-6894a57f9324', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
    ['"key-1"', 'key-1'],
    ['a'.repeat(255), 'a'.repeat(255)],
  ])('%s is %s', (text, key) => {
    expect(read(text).data).toEqual({ 'idempotency-key': key });
  });

  test.each(['', '""', 'two words', 'one, two', '"open', 'ü', 'a'.repeat(256)])('%j is none', (text) => {
    expect(read(text).success).toBe(false);
  });
});
