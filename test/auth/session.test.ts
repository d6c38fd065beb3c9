import { describe, expect, test } from 'vitest';
import { packed, unpacked } from '../../functions/auth/rules/session.ts';
import { openedSession, sealedSession } from '../../functions/auth/stores/waiting-sign-ins.ts';

const pending = { username: 'a4b1', session: 's'.repeat(20) };
const encoded = (value: unknown) => JSON.stringify(value);
const place = { secret: ['k'.repeat(64)], application: 'medinfo' } as const;

test('a session carries its user name through a client, and fits the request schema at its longest', () => {
  const longest = { username: '€'.repeat(128), session: 's'.repeat(2048), beginning: 't'.repeat(128) };
  for (const each of [pending, { ...pending, beginning: 't' }, longest]) {
    const text = sealedSession(place, each);
    expect(text).toMatch(/^(?=.{20,4096}$)[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
    expect(text).not.toContain(Buffer.from(each.session.slice(0, 18)).toString('base64url'));
    expect(openedSession(place, text)).toEqual(each);
  }
});

test.each([
  ['nothing', ''],
  ["Cognito's own", 'AYABeC1-y8qooiuysEv0uM4wAqQ'],
  ['no JSON', '{"username":'],
  ['null', encoded(null)],
  ['a list', encoded([pending])],
  ['no user name', encoded({ session: pending.session })],
  ['an empty user name', encoded({ ...pending, username: '' })],
  ['a user name without end', encoded({ ...pending, username: 'x'.repeat(129) })],
  ['a user name that is no text', encoded({ ...pending, username: ['a4b1'] })],
  ["a session shorter than Cognito's", encoded({ ...pending, session: 's'.repeat(19) })],
  ["a session longer than Cognito's", encoded({ ...pending, session: 's'.repeat(2049) })],
  ['an empty seal', encoded({ ...pending, beginning: '' })],
  ['a seal without end', encoded({ ...pending, beginning: 't'.repeat(513) })],
  ['a seal that is no text', encoded({ ...pending, beginning: null })],
  ['more than that', encoded({ ...pending, more: 1 })],
  ['another order', encoded({ session: pending.session, username: pending.username })],
  ['a blank', `${packed(pending)} `],
  ['a line break', `${packed(pending)}\n`],
])('%s is none', (_name, text) => {
  expect(unpacked(text)).toBeNull();
});

describe('a sealed session', () => {
  const text = sealedSession(place, pending);
  const other = ['o'.repeat(64)] as const;

  test.each<[string, string]>([
    ['that is only packed', packed(pending)],
    ['in base64url, as it was before', Buffer.from(packed(pending)).toString('base64url')],
    ['under a key that nobody has', sealedSession({ ...place, secret: other }, pending)],
    ['of another application', sealedSession({ ...place, application: 'sleepcare' }, pending)],
    ['that was altered', `${text.slice(0, -2)}${text.endsWith('AA') ? 'BB' : 'AA'}`],
    ['with more behind it', `${text}A`],
    ['without its key’s name', text.slice(9)],
    ['that is empty', ''],
  ])('%s is none', (_name, given) => {
    expect(openedSession(place, given)).toBeNull();
  });

  test('is opened while its key is known', () => {
    expect(openedSession({ ...place, secret: [...other, ...place.secret] }, text)).toEqual(pending);
  });
});
