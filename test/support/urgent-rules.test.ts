import { describe, expect, test } from 'vitest';
import { urgentTicketId } from '../../functions/questionnaire-responses/rules/flag.ts';
import { isAttended } from '../../functions/support/rules/attendance.ts';
import { flagChangeOf } from '../../functions/support/rules/flag-change.ts';
import { dated, escalatesAt, mainSiteOf, urgentTicket } from '../../functions/support/rules/urgent-ticket.ts';
import type { StaffStanding } from '../../lib/contract/staff-accounts.ts';

describe('the ticket of a flag', () => {
  const at = '2026-11-28T12:00:00.000Z';
  const times = { raisedAt: at, recordedAt: '2026-11-22T12:00:00.000Z', receivedAt: at };
  const flag = { userId: 'u', flagId: 'f', responseId: 'r', ...times };

  test('its id follows from response and flag', () => {
    expect(urgentTicketId(flag)).toBe(urgentTicketId({ ...flag }));
    expect(new Set([flag, { ...flag, flagId: 'g' }, { ...flag, responseId: 's' }].map(urgentTicketId)).size).toBe(3);
  });

  test('it is due after an hour, also on a Saturday; clinical safety gets it then, or at once if no site is responsible', () => {
    expect(escalatesAt(urgentTicket(flag, 'site', null))).toBe('2026-11-28T13:00:00.000Z');
    expect(escalatesAt(urgentTicket(flag, null, null))).toBe(flag.raisedAt);
  });

  test('it is never raised later than now, where the time is known', () => {
    const forged = { ...flag, raisedAt: '2099-01-01T00:00:00.000Z' };
    expect(urgentTicket(forged, 'site', new Date(at))).toEqual(urgentTicket(flag, 'site', null));
    expect(urgentTicket(flag, 'site', new Date('2026-11-28T12:30:00.000Z'))).toEqual(urgentTicket(flag, 'site', null));
    expect(urgentTicket(forged, null, null).raisedAt).toBe(forged.raisedAt);
  });

  const [never, later] = ['2099-01-01T00:00:00.000Z', new Date('2026-11-28T12:30:00.000Z')];
  test.each([
    ['its own', {}, {}, at],
    ['of a time to come', { raisedAt: never, dueAt: never }, {}, at],
    ['with a due time of its own', { dueAt: never }, {}, at],
    ['of a flag of a time to come', {}, { raisedAt: never }, at],
    ['of a time to come, as is its flag', { raisedAt: never }, { raisedAt: never }, later.toISOString()],
  ])('it has the times of its flag, and none to come: %s', (_case, own, raised, raisedAt) => {
    const ticket = { ...urgentTicket(flag, 'site', null), ...own };
    const expected = urgentTicket({ ...flag, raisedAt }, 'site', null);
    expect(dated(ticket, { ...flag, ...raised }, later)).toEqual(expected);
  });

  const active = (...roles: string[]) => ({ status: 'active', roles }) as const;
  test.each<[string, Record<string, Pick<StaffStanding, 'roles' | 'status'>>, boolean]>([
    ['nobody', {}, false],
    ['a physician', { a: active('agent'), b: active('admin', 'physician') }, true],
    ['nobody with the role', { a: active('agent'), b: active('clinical-safety') }, false],
    ['a physician whose account is disabled', { a: { status: 'disabled', roles: ['physician'] } }, false],
    ['a physician who was only invited', { a: { status: 'invited', roles: ['physician'] } }, false],
  ])('a site has %s', (_case, standings, attended) => {
    expect(isAttended(new Map(Object.entries(standings)), ['physician'])).toBe(attended);
  });

  test.each([
    ['none', [], null],
    [
      'the one for longest',
      [
        { siteId: 'b', since: '2' },
        { siteId: 'a', since: '1' },
      ],
      'a',
    ],
    [
      'the one that was chosen',
      [
        { siteId: 'b', since: '2', isMain: true },
        { siteId: 'a', since: '1' },
      ],
      'b',
    ],
  ])('the main site: %s', (_case, relations, siteId) => {
    expect(mainSiteOf(relations)).toBe(siteId);
  });

  const row = {
    part: { S: 'flag#f' },
    flagId: { S: 'f' },
    userId: { S: 'u' },
    responseId: { S: 'r' },
    raisedAt: { S: flag.raisedAt },
    recordedAt: { S: flag.recordedAt },
    receivedAt: { S: flag.receivedAt },
  };
  const seen = { ...row, acknowledgedAt: { S: '2026-11-28T12:10:00.000Z' }, acknowledgedBy: { S: 'w' } };
  test.each([
    ['raised', { NewImage: row }, { raised: flag }],
    ['acknowledged', { OldImage: row, NewImage: seen }, { acknowledged: flag }],
    ['acknowledged before', { OldImage: seen, NewImage: seen }, null],
    ['erased', { OldImage: row }, null],
    ['a row of a list', { NewImage: { ...row, part: { S: 'open' } } }, null],
    ['of a user without end', { NewImage: { ...row, userId: { S: 'u'.repeat(300) } } }, 'unknown'],
    ['at a time that is none', { NewImage: { ...row, raisedAt: { S: 'never' } } }, 'unknown'],
    ['of a user without an id', { NewImage: { ...row, userId: { S: '' } } }, 'unknown'],
    ['without its user', { NewImage: { ...row, userId: {} } }, 'unknown'],
  ])('of a change of the flags: %s', (_case, change, meant) => {
    expect(flagChangeOf(change)).toEqual(meant);
  });
});
