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

describe('as it stands', () => {
  test.each([
    ['before its start', day(4), undefined, 'scheduled', day(10)],
    ['from its start on', day(5), undefined, 'active', day(10)],
    ['until its end', '2026-03-10T11:59:59.999Z', undefined, 'active', day(10)],
    ['at its end', day(10), undefined, 'ended', day(10)],
    ['where staff ended it', day(7), day(6), 'ended', day(6)],
    ['at the very time at which staff ended it', day(6), day(6), 'ended', day(6)],
    ['before that, by a clock that was set back', day(5), day(6), 'active', day(6)],
    ['where it was over before', day(12), day(11), 'ended', day(10)],
    ['ended before its start, it has no time', day(4), day(3), 'ended', day(5)],
  ])('%s', (_case, now, endedAt, status, endsAt) => {
    const current = endedAt === undefined ? row : { ...row, endedAt };
    expect(entitlementOf(current, new Date(now))).toMatchObject({ status, startsAt: day(5), endsAt });
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
