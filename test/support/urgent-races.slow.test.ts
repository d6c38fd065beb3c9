import { randomUUID } from 'node:crypto';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { urgentTicketId } from '../../functions/questionnaire-responses/rules/flag.ts';
import type { RaisedFlag } from '../../functions/support/rules/urgent-ticket.ts';
import { countForSafety, readForSafety, readUrgentTicket } from '../../functions/support/stores/urgent-rows.ts';
import { accountPart, guardCount, guardKey } from '../../lib/contract/accounts.ts';
import { openSupport } from './open-support.ts';

/** The ticket of a flag, whatever order its records come in, and until somebody acknowledges it: on the local DynamoDB. */

const raisedAt = '2026-11-28T12:00:00.000Z';
const soon = '2026-11-28T12:05:00.000Z';

const support = await openSupport();
await support.account('doctor', 'active', 'physician');
await support.account('agent', 'active', 'agent');
await support.account('gone', 'disabled', 'physician');
await support.site('site', 'open', 'agent', 'doctor');
await support.site('closed', 'closed', 'doctor');
await support.site('empty', 'open');
await support.site('without', 'open', 'agent', 'gone');
await support.site('unknown', 'open', 'agent', 'of-token');
let flag: RaisedFlag;
beforeEach(() => {
  const times = { raisedAt, recordedAt: '2026-11-22T12:00:00.000Z', receivedAt: raisedAt };
  flag = { userId: randomUUID(), flagId: randomUUID(), responseId: randomUUID(), ...times };
});

const ticket = () => readUrgentTicket(support.tables.UrgentTickets, urgentTicketId(flag));
const rows = () => support.rows('UrgentTickets', flag.userId);
async function sharing(siteId: string | null = null) {
  if (siteId !== null) await support.relate(flag.userId, siteId);
  await support.consent(flag.userId, 'agreed');
}

const page = { limit: 1000, after: null };
const isForSafety = async (at: string) => {
  const { found } = await readForSafety(support.tables.UrgentTickets, new Date(at), page);
  return found.some(({ userId }) => userId === flag.userId);
};
/** The lists that it is on, and since when. */
const lists = async () =>
  (await rows())
    .filter(({ part }) => part.startsWith('urgent-'))
    .map(({ part, name }) => `${part} ${name.split('#')[0]}`)
    .toSorted();

describe('one ticket', () => {
  test('for a record that is delivered twice, also at once', async () => {
    await sharing('site');
    const answers = await Promise.all([1, 2, 3].map(() => support.raise(flag)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await support.raise(flag)).toBe(false);
    // The ticket, the list of clinical safety, the site's; and under the person that there is one.
    expect((await rows()).map(({ part }) => part.split('#')[0]).toSorted()).toEqual([
      'urgent',
      'urgent-safety',
      'urgent-site',
      'user',
    ]);
  });

  test('acknowledged, if the acknowledgement comes before the flag or in between', async () => {
    await support.settle(flag, 'safety');
    expect(await support.raise(flag)).toBe(false);
    expect(await ticket()).toMatchObject({ acknowledgedAt: raisedAt, acknowledgedBy: 'safety' });
    expect((await rows()).map(({ part }) => part.split('#')[0]).toSorted()).toEqual(['urgent', 'user']);
    flag = { ...flag, flagId: randomUUID() };
    support.plan.first = () => support.raise(flag);
    await support.settle(flag, 'safety');
    expect(await ticket()).toMatchObject({ acknowledgedBy: 'safety' });
    flag = { ...flag, flagId: randomUUID() };
    support.plan.first = () => support.settle(flag, 'safety');
    expect(await support.raise(flag)).toBe(false);
    expect(await ticket()).toMatchObject({ acknowledgedBy: 'safety' });
  });

  test('an acknowledgement stays, with the first person, whatever is delivered again', async () => {
    await support.raise(flag);
    await support.settle(flag, 'first');
    const settled = await ticket();
    await support.settle(flag, 'second');
    await support.raise(flag);
    expect(await ticket()).toEqual(settled);
    expect(settled?.acknowledgedBy).toBe('first');
  });

  test('none for a closed account', async () => {
    for (let number = 0; number < guardCount; number += 1) {
      await support.put('Accounts', guardKey(flag.userId, number));
    }
    expect(await support.raise(flag)).toBe(false);
    await support.settle(flag, 'safety');
    expect(await rows()).toEqual([]);
  });

  test('an erasure deletes it with its rows in the lists, acknowledged or not', async () => {
    await sharing('site');
    await support.raise(flag);
    const other = { ...flag, flagId: randomUUID() };
    await support.raise(other);
    await support.settle(other, 'safety');
    await support.erase(flag.userId);
    expect(await rows()).toEqual([]);
  });

  const digits = '123456789012345678901234567890';
  test.each<[string, Record<string, unknown>]>([
    ['a site that is a number', { siteId: NumberValue.from(digits) }],
    ['a site that is longer than a key', { siteId: 's'.repeat(3000) }],
    ['a number as the time by which somebody sees to it', { dueAt: NumberValue.from(digits) }],
    ['no such time', { dueAt: undefined }],
    ['a time that is longer than a key', { raisedAt: 't'.repeat(2000) }],
    ['the id of another one', { ticketId: 'another' }],
    ['an id that is longer than a key', { ticketId: 'i'.repeat(3000) }],
  ])('with %s, which none of ours writes, holds up no erasure', async (_case, wrong) => {
    await sharing('site');
    await support.raise(flag);
    const [own, before] = [await ticket(), await rows()];
    const list = { part: `urgent-site#${digits}`, name: `${raisedAt}#${urgentTicketId(flag)}` };
    for (const { part, name } of [...before, list]) {
      await support.put('UrgentTickets', { ...own, ...wrong, part, name });
    }
    await support.erase(flag.userId);
    // A row of a list that the ticket does not name is told by the comparison.
    const left = (await rows()).map(({ part }) => part);
    expect(left.filter((part) => !part.startsWith('urgent-'))).toEqual([]);
    if ('siteId' in wrong) expect(left).not.toContain('urgent-safety');
    if (wrong.siteId instanceof NumberValue) expect(left).not.toContain(list.part);
  });
});

describe('who is responsible', () => {
  test.each<[string, () => Promise<unknown>, string | null]>([
    ['of the site where relation and consent stand', () => sharing('site'), 'site'],
    ['of clinical safety where the site is closed', () => sharing('closed'), null],
    ['of clinical safety where nobody works at the site', () => sharing('empty'), null],
    ['of clinical safety where no physician works at the site', () => sharing('without'), null],
    ['of clinical safety where only somebody without a row works at the site', () => sharing('unknown'), null],
    ['of clinical safety where the site is gone', () => sharing('gone'), null],
    ['of clinical safety before the relation can be read', () => sharing(), null],
    ['of clinical safety without the consent', () => support.relate(flag.userId, 'site'), null],
    [
      'of clinical safety where the consent was revoked in between',
      async () => {
        await sharing('site');
        await support.consent(flag.userId, 'revoked');
      },
      null,
    ],
  ])('%s', async (_case, before, siteId) => {
    await before();
    await support.raise(flag);
    expect(await ticket()).toMatchObject({ siteId, acknowledgedAt: null });
  });

  test('neither a later relation nor a repeated record moves it', async () => {
    await support.raise(flag);
    await sharing('site');
    await support.raise(flag);
    expect((await ticket())?.siteId).toBeNull();
  });

  test('a revocation while it is opened: the site has it until the next run', async () => {
    await sharing('site');
    support.plan.first = () => support.consent(flag.userId, 'revoked');
    await support.raise(flag);
    expect(await ticket()).toMatchObject({ siteId: 'site', dueAt: '2026-11-28T13:00:00.000Z' });
    expect(await support.handOver(soon)).toEqual({ moved: 1, failures: [] });
    expect(await ticket()).toMatchObject({ siteId: null });
  });

  test('the site, if its only physician comes after a hundred others', async () => {
    const others = Array.from({ length: 100 }, (_, number) => `agent-${String(number).padStart(3, '0')}`);
    for (const other of others) await support.account(other, 'active', 'agent');
    await support.site('large', 'open', ...others, 'doctor');
    await sharing('large');
    await support.raise(flag);
    expect(await ticket()).toMatchObject({ siteId: 'large', dueAt: '2026-11-28T13:00:00.000Z' });
  });
});

describe('within the hour, when nobody at the site may see it any more', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['the patient revokes', () => support.consent(flag.userId, 'revoked')],
    ['the patient leaves', () => support.remove('CareRelations', { userId: flag.userId, siteId: 'own' })],
    [
      'the account is closed',
      () => support.put('Accounts', { userId: flag.userId, part: accountPart, isClosed: true }),
    ],
    ['the site is closed', () => support.site('own', 'closed')],
    ['the last physician leaves', () => support.remove('SiteStaff', { siteId: 'own', userId: 'physician' })],
    ['the last physician loses the role', () => support.account('physician', 'active', 'agent')],
    ['the last physician is disabled', () => support.account('physician', 'disabled', 'physician')],
  ])('clinical safety has it with the next run: %s', async (_case, end) => {
    await support.account('physician', 'active', 'physician');
    await support.site('own', 'open', 'physician', 'without-a-row');
    await sharing('own');
    await support.raise(flag);
    expect(await support.handOver(soon)).toEqual({ moved: 0, failures: [] });
    expect(await isForSafety(soon)).toBe(false);
    await end();
    expect(await support.handOver(soon)).toEqual({ moved: 1, failures: [] });
    expect(await isForSafety(soon)).toBe(true);
    expect(await lists()).toEqual([`urgent-safety ${raisedAt}`]);
    expect(await ticket()).toMatchObject({ siteId: null, acknowledgedAt: null });
    expect(await support.handOver(soon)).toEqual({ moved: 0, failures: [] });
    await support.settle(flag, 'safety');
    expect(await lists()).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>, string[]]>([
    ['acknowledged', () => support.acknowledge(flag, 'doctor'), []],
    ['erased', () => support.erase(flag.userId), []],
    ['handed over by another run', () => support.handOver(soon), [`urgent-safety ${raisedAt}`]],
  ])('%s while it is handed over: it is on no list too many', async (_case, meanwhile, left) => {
    await sharing('site');
    await support.raise(flag);
    await support.consent(flag.userId, 'revoked');
    support.plan.first = meanwhile;
    expect(await support.handOver(soon)).toEqual({ moved: 0, failures: [] });
    expect(await lists()).toEqual(left);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['acknowledged', () => support.acknowledge(flag, 'doctor')],
    ['erased', () => support.erase(flag.userId)],
  ])('handed over while it is %s: it is on no list any more', async (_case, act) => {
    await sharing('site');
    await support.raise(flag);
    await support.consent(flag.userId, 'revoked');
    support.plan.first = () => support.handOver(soon);
    await act();
    expect(await lists()).toEqual([]);
  });

  test('a hundred and one of them; a failure for one does not stop the others', async () => {
    const flags = Array.from({ length: 101 }, () => ({ ...flag, flagId: randomUUID() }));
    await sharing('site');
    for (const each of flags) await support.raise(each);
    await support.consent(flag.userId, 'revoked');
    expect(await support.handOver(soon, () => 0)).toEqual({ moved: 0, failures: [] });
    support.plan.first = () => Promise.reject(new Error('broken'));
    const { moved, failures } = await support.handOver(soon);
    expect([moved, failures]).toEqual([100, [expect.any(Error)]]);
    expect(await support.handOver(soon)).toEqual({ moved: 1, failures: [] });
  });
});

describe('escalated after an hour, until somebody acknowledges it', () => {
  test.each<[string, string | null, string, boolean]>([
    ['of a site: a millisecond before the hour is over', 'site', '2026-11-28T12:59:59.999Z', false],
    ['of a site: when it is', 'site', '2026-11-28T13:00:00.000Z', true],
    ['of a site: a month later', 'site', '2026-12-28T13:00:00.000Z', true],
    ['of none: a millisecond before it was raised', null, '2026-11-28T11:59:59.999Z', false],
    ['of none: at once, on a Saturday', null, raisedAt, true],
  ])('%s', async (_case, siteId, at, isShown) => {
    await sharing(siteId);
    await support.raise(flag);
    expect(await isForSafety(at)).toBe(isShown);
    // The metric of the alarm counts what the list has.
    const { found } = await readForSafety(support.tables.UrgentTickets, new Date(at), page);
    expect(await countForSafety(support.tables.UrgentTickets, new Date(at))).toBe(found.length);
    await support.settle(flag, 'safety');
    expect(await isForSafety('2027-11-28T13:00:00.000Z')).toBe(false);
    await support.erase(flag.userId);
  });
});
