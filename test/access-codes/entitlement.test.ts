import { describe, expect, test } from 'vitest';
import {
  type Entitlement,
  type EntitlementRow,
  entitlementOf,
  termOf,
} from '../../functions/access-codes/rules/entitlement.ts';

const day = (date: number) => `2026-03-${String(date).padStart(2, '0')}T12:00:00.000Z`;
const row: EntitlementRow = {
  userId: 'u',
  entitlementId: 'e',
  programmeId: 'insomnia-basic',
  startsAt: day(5),
  endsAt: day(10),
  redeemedAt: day(5),
  accessCodeId: 'c',
  batchId: 'b',
  part: 'g00',
};
const open = { ended: {} };

describe('as it stands', () => {
  test.each([
    ['before its start', day(4), open, 'scheduled', day(10)],
    ['from its start on', day(5), open, 'active', day(10)],
    ['until its end', '2026-03-10T11:59:59.999Z', open, 'active', day(10)],
    ['at its end', day(10), open, 'ended', day(10)],
    ['where its batch was ended', day(7), { ...open, entitlementsEndedAt: day(6) }, 'ended', day(6)],
    [
      'before its batch is ended, by a clock that was set back',
      day(5),
      { ...open, entitlementsEndedAt: day(6) },
      'active',
      day(6),
    ],
    ['where it was ended by itself', day(7), { ...open, ended: { c: day(7) } }, 'ended', day(7)],
    ['where another one was', day(7), { ...open, ended: { other: day(6) } }, 'active', day(10)],
    [
      'where both were, the earlier counts',
      day(9),
      { entitlementsEndedAt: day(8), ended: { c: day(6) } },
      'ended',
      day(6),
    ],
    ['where it was over before', day(12), { ...open, entitlementsEndedAt: day(11) }, 'ended', day(10)],
    ['ended before its start, it has no time', day(4), { ...open, entitlementsEndedAt: day(3) }, 'ended', day(5)],
    ["an insurer's", day(7), null, 'active', day(10)],
  ])('%s', (_case, now, group, status, endsAt) => {
    expect(entitlementOf(row, group, new Date(now))).toMatchObject({ status, startsAt: day(5), endsAt });
  });
});

describe('when a further code begins to count', () => {
  const other = (endsAt: string, programmeId = 'insomnia-basic'): Entitlement => {
    return { entitlementId: endsAt, programmeId, startsAt: day(1), endsAt, status: 'active' };
  };
  test.each([
    ['the first: now', [], day(7)],
    ['after one that runs', [other(day(10))], day(10)],
    ['after the last of several', [other(day(10)), other(day(20)), other(day(15))], day(20)],
    ['one that is over does not count', [other(day(2))], day(7)],
    ["nor does another programme's", [other(day(20), 'anxiety')], day(7)],
    ['nor one that was ended before it started', [other(day(10)), { ...other(day(20)), startsAt: day(20) }], day(10)],
  ])('%s', (_case, others, startsAt) => {
    const term = termOf({ programmeId: 'insomnia-basic', grantsDays: 2 }, others, new Date(day(7)));
    expect(term).toEqual({ startsAt, endsAt: new Date(Date.parse(startsAt) + 2 * 86_400_000).toISOString() });
  });
});
