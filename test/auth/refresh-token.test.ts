import { expect, test } from 'vitest';
import { partsOf, tokenText } from '../../functions/auth/rules/refresh-token.ts';
import { newToken, presentedIn } from '../../functions/auth/stores/refresh-tokens.ts';

const mark = `01234567.${'m'.repeat(43)}`;
const parts = { userId: 'u-1', sessionId: 's_2', random: 'r'.repeat(43), mark };
const of = { userId: parts.userId, sessionId: parts.sessionId };
const maker = { secret: ['a secret'], application: 'sleepcare' } as const;

test('a token is read as it was written, and has six parts', () => {
  const text = tokenText(parts);
  expect(text.split('.')).toHaveLength(6);
  expect(partsOf(text)).toEqual(parts);
});

test.each([
  ['nothing', ''],
  ['another version', tokenText(parts).replace('mhrt1', 'mhrt2')],
  ['no user', tokenText({ ...parts, userId: '' })],
  ['a user with a dot', tokenText({ ...parts, userId: 'u.1' })],
  ['a session without end', tokenText({ ...parts, sessionId: 's'.repeat(65) })],
  ['a short random part', tokenText({ ...parts, random: 'r'.repeat(42) })],
  ['a long random part', tokenText({ ...parts, random: 'r'.repeat(44) })],
  ['a mark without the id of its key', tokenText({ ...parts, mark: mark.slice(9) })],
  ['an id in capitals', tokenText({ ...parts, mark: mark.replace('01234567', '0123456A') })],
  ['a short id', tokenText({ ...parts, mark: mark.slice(1) })],
  ['a short mark', tokenText({ ...parts, mark: mark.slice(0, -1) })],
  ['a seventh part', `${tokenText(parts)}.x`],
  ['a line break', `${tokenText(parts)}\n`],
])('%s is none', (_name, text) => {
  expect(partsOf(text)).toBeNull();
});

test('a token that we made is known again, with the hash that was stored', () => {
  const made = newToken(maker, of);
  expect(presentedIn(maker, made.token)).toEqual(made);
  expect(made).toMatchObject(of);
  expect(made.hash).not.toContain(made.token);
});

test('each is another one', () => {
  const tokens = Array.from({ length: 100 }, () => newToken(maker, of));
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(100);
  expect(new Set(tokens.map(({ hash }) => hash)).size).toBe(100);
});

test('a token of another application, or made with another secret, is none of ours', () => {
  const { token } = newToken(maker, of);
  expect(presentedIn({ ...maker, application: 'medinfo' }, token)).toBeNull();
  expect(presentedIn({ ...maker, secret: ['another secret'] }, token)).toBeNull();
});

test('no part can be exchanged: the mark is of all of them', () => {
  const { token } = newToken(maker, of);
  const made = partsOf(token);
  if (!made) throw new Error('it is none');
  const other = partsOf(newToken(maker, of).token);
  for (const change of [{ userId: 'u-2' }, { sessionId: 's_3' }, { random: 'x'.repeat(43) }, { mark: other?.mark }]) {
    expect(presentedIn(maker, tokenText({ ...made, ...(change as object) }))).toBeNull();
  }
});
