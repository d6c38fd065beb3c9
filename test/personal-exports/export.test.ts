import { describe, expect, test } from 'vitest';
import {
  asked,
  decideRequest,
  done,
  failed,
  isExpired,
  linkSecondsAt,
  type PersonalExport,
  shown,
} from '../../functions/personal-exports/rules/export.ts';

const at = (time: string) => new Date(`2026-03-${time}Z`);
const made = (now: Date) => asked({ userId: 'u', application: 'sleepcare', now, random: '0123456789abcdef0' });
const doneAt = (now: Date) => done(made(now), 1000, now);

test('an id is of the alphabet, and sorts by its time', () => {
  const ids = ['01T10:00:00.000', '01T10:00:00.001', '02T00:00:00.000'].map((time) => made(at(time)).exportId);
  expect(ids[0]).toBe('20260301T100000000Z-01234567');
  expect(ids.toSorted()).toEqual(ids);
});

describe('a request', () => {
  const now = at('02T12:00:00.000');
  const older = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const fiveFrom = (hours: number) => [1, 2, 3, 4, hours].map((age) => doneAt(older(age)));

  test.each<[string, PersonalExport[], string]>([
    ['the first', [], 'new'],
    ['one is being made', [made(older(0.1))], 'open'],
    ['one was never begun, and nobody will', [made(older(2.1))], 'new'],
    ['one is being made at a time to come', [{ ...made(older(0.1)), progressAt: '9999-12-31T00:00:00.000Z' }], 'new'],
    ['the last one is done', [doneAt(older(0.1))], 'new'],
    ['the last one failed', [failed(made(older(0.1)), now)], 'new'],
    ['the fifth of a day', fiveFrom(5).slice(1), 'new'],
    ['the sixth of a day', fiveFrom(5), 'refused'],
    ['the sixth, a day and a second after the first', fiveFrom(24.001), 'new'],
  ])('%s', (_name, rows, outcome) => {
    expect(decideRequest(rows, now)).toMatchObject({ outcome });
  });

  test('it says when the next one is possible', () => {
    expect(decideRequest(fiveFrom(20), now)).toEqual({ outcome: 'refused', possibleAt: '2026-03-02T16:00:00.000Z' });
  });
});

test('it is there for seven days from when it was done, and a link lives no longer', () => {
  const row = doneAt(at('01T12:00:00.000'));
  expect(shown(row, at('08T11:59:59.000'))).toMatchObject({ status: 'done', expiresAt: '2026-03-08T12:00:00.000Z' });
  expect([isExpired(row, at('08T11:59:59.999')), isExpired(row, at('08T12:00:00.000'))]).toEqual([false, true]);
  expect(linkSecondsAt(row, at('01T12:00:00.000'))).toBe(900);
  expect(linkSecondsAt(row, at('08T11:59:30.000'))).toBe(30);
});

test('an export that nobody works on any more is shown as failed', () => {
  const row = made(at('01T12:00:00.000'));
  expect(shown(row, at('01T13:59:00.000'))).toMatchObject({ status: 'pending', finishedAt: null });
  expect(shown(row, at('01T14:01:00.000'))).toMatchObject({ status: 'failed' });
});
