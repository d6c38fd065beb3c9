import { describe, expect, test } from 'vitest';
import { type Attendance, attendanceOf } from '../../functions/support/rules/attendance.ts';
import { flagChangeOf } from '../../functions/support/rules/flag-change.ts';
import {
  escalatesAt,
  mainSiteOf,
  nobodysSite,
  placed,
  urgentTicket,
  urgentTicketId,
} from '../../functions/support/rules/urgent-ticket.ts';
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
    expect(escalatesAt(urgentTicket(flag, { siteId: 'site', isSure: true }))).toBe('2026-11-28T13:00:00.000Z');
    expect(escalatesAt(urgentTicket(flag, { siteId: 'site', isSure: false }))).toBe(flag.raisedAt);
    expect(escalatesAt(urgentTicket(flag, nobodysSite))).toBe(flag.raisedAt);
  });

  test('a ticket on the list of clinical safety stays there, and a ticket in the right place is not changed', () => {
    const [sure, unsure] = [
      { siteId: 'site', isSure: true },
      { siteId: 'site', isSure: false },
    ];
    const ticket = urgentTicket(flag, unsure);
    expect(placed(ticket, sure)).toBe(ticket);
    expect(escalatesAt(placed(urgentTicket(flag, sure), unsure))).toBe(flag.raisedAt);
    expect(placed(urgentTicket(flag, sure), nobodysSite)).toMatchObject({ siteId: null });
  });

  const active = (...roles: string[]) => ({ status: 'active', roles }) as const;
  test.each<[string, string[], Record<string, Pick<StaffStanding, 'roles' | 'status'>>, Attendance]>([
    ['nobody', [], {}, 'none'],
    ['a physician', ['a', 'b'], { a: active('agent'), b: active('admin', 'physician') }, 'sure'],
    ['nobody with the role', ['a', 'b'], { a: active('agent'), b: active('clinical-safety') }, 'none'],
    ['a physician whose account is disabled', ['a'], { a: { status: 'disabled', roles: ['physician'] } }, 'none'],
    ['a physician who was only invited', ['a'], { a: { status: 'invited', roles: ['physician'] } }, 'none'],
    ['somebody whose role only a token says', ['a', 'b'], { a: active('agent') }, 'possible'],
    ['a physician beside somebody like that', ['a', 'b'], { b: active('physician') }, 'sure'],
  ])('a site has %s', (_case, userIds, standings, attendance) => {
    expect(attendanceOf(userIds, new Map(Object.entries(standings)), ['physician'])).toBe(attendance);
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
    [
      'acknowledged',
      { OldImage: row, NewImage: seen },
      { acknowledged: { flag, at: '2026-11-28T12:10:00.000Z', by: 'w' } },
    ],
    ['acknowledged before', { OldImage: seen, NewImage: seen }, null],
    ['erased', { OldImage: row }, null],
    ['a row of a list', { NewImage: { ...row, part: { S: 'open' } } }, null],
    ['without its user', { NewImage: { ...row, userId: {} } }, 'unknown'],
  ])('of a change of the flags: %s', (_case, change, meant) => {
    expect(flagChangeOf(change)).toEqual(meant);
  });
});
