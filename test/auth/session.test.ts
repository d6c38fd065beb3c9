import { expect, test } from 'vitest';
import { packed, unpacked } from '../../functions/auth/rules/session.ts';

const pending = { username: 'a4b1', session: 's'.repeat(20) };
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a session carries its user name through a client, and fits the request schema at its longest', () => {
  const longest = { username: '€'.repeat(128), session: 's'.repeat(2048), tries: 't'.repeat(128) };
  for (const each of [pending, { ...pending, tries: 't' }, longest]) {
    const text = packed(each);
    expect(text).toMatch(/^[A-Za-z0-9_-]{20,4096}$/);
    expect(unpacked(text)).toEqual(each);
  }
});

test.each([
  ['nothing', ''],
  ["Cognito's own", 'AYABeC1-y8qooiuysEv0uM4wAqQ'],
  ['no JSON', Buffer.from('{"username":').toString('base64url')],
  ['null', encoded(null)],
  ['a list', encoded([pending])],
  ['no user name', encoded({ session: pending.session })],
  ['an empty user name', encoded({ ...pending, username: '' })],
  ['a user name without end', encoded({ ...pending, username: 'x'.repeat(129) })],
  ['a user name that is no text', encoded({ ...pending, username: ['a4b1'] })],
  ["a session shorter than Cognito's", encoded({ ...pending, session: 's'.repeat(19) })],
  ["a session longer than Cognito's", encoded({ ...pending, session: 's'.repeat(2049) })],
  ['an empty seal', encoded({ ...pending, tries: '' })],
  ['a seal without end', encoded({ ...pending, tries: 't'.repeat(129) })],
  ['a seal that is no text', encoded({ ...pending, tries: null })],
  ['more than that', encoded({ ...pending, more: 1 })],
  ['another order', encoded({ session: pending.session, username: pending.username })],
  ['another alphabet', `${packed(pending)}=`],
  ['a line break', `${packed(pending)}\n`],
])('%s is none', (_name, text) => {
  expect(unpacked(text)).toBeNull();
});
