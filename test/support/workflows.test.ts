import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { countOverdue } from '../../functions/support/stores/overdue.ts';
import { openSupport } from './open-support.ts';

/** What many at once, the time, and an erasure make of tickets: on the local DynamoDB. */

const monday = '2026-11-23T08:00:00.000Z';
const note = 'Internal: not for the patient';

let userId = '';
const support = await openSupport();
beforeEach(() => {
  userId = randomUUID();
});

const opened = async (times: number) => {
  const ids: string[] = [];
  for (let index = 0; index < times; index += 1) ids.push((await support.open(userId, monday)).ticketId);
  return ids;
};
/** How an act ended: with `ok`, or the code of its refusal. */
const outcome = (act: Promise<unknown>) =>
  act.then(
    () => 'ok',
    (error: { error?: { code: string } }) => error.error?.code ?? String(error),
  );

describe('unsolved tickets', () => {
  test('20 at most, also when the last ones are opened at once; a solved ticket makes room for another', async () => {
    const [first = ''] = await opened(18);
    const last = await Promise.all([1, 2, 3, 4, 5].map(() => outcome(support.open(userId, monday))));
    expect(last.toSorted()).toEqual([...Array(3).fill('TICKET_LIMIT_REACHED'), 'ok', 'ok']);
    const own = (await support.rows('SupportTickets', userId)).filter(({ name }) => name === 'ticket');
    expect(own).toHaveLength(20);
    await support.staffWrites(first, monday, {});
    await support.move(first, 'pending', monday);
    expect(await outcome(support.open(userId, monday))).toBe('TICKET_LIMIT_REACHED');
    await support.move(first, 'solved', monday);
    await support.move(first, 'closed', monday);
    expect(await outcome(support.open(userId, monday))).toBe('ok');
    expect(await outcome(support.open(userId, monday))).toBe('TICKET_LIMIT_REACHED');
    expect(await outcome(support.open(randomUUID(), monday))).toBe('ok');
  });

  test('a reopened ticket counts, and is not refused', async () => {
    const ids = await opened(20);
    for (const ticketId of ids.slice(0, 2)) await support.move(ticketId, 'solved', monday);
    await opened(2);
    expect(await outcome(support.patientWrites(userId, ids[0] ?? '', monday))).toBe('ok');
    expect((await support.ticket(ids[0] ?? ''))?.state).toBe('reopened');
    await support.move(ids[5] ?? '', 'solved', monday);
    expect(await outcome(support.open(userId, monday))).toBe('TICKET_LIMIT_REACHED');
    await support.move(ids[6] ?? '', 'solved', monday);
    expect(await outcome(support.open(userId, monday))).toBe('ok');
  });
});

describe('two at once', () => {
  test('of two agents who answer, one must read again: one answer, one message on the board', async () => {
    const [ticketId = ''] = await opened(1);
    const answers = ['agent', 'admin'].map((actor) =>
      outcome(support.staffWrites(ticketId, monday, { actor, ifMatch: '"1"' })),
    );
    expect((await Promise.all(answers)).toSorted()).toEqual(['PRECONDITION_FAILED', 'ok']);
    const board = await support.rows('AgentBoardMessages', userId);
    expect(board.filter(({ title }) => title !== undefined)).toHaveLength(1);
    const answer = await support.rows('SupportTickets', '"body":"Answer"');
    expect(answer.filter((row) => row.ticketId === ticketId)).toHaveLength(2);
  });

  test('an agent who answers while the patient writes must read again, and the patient gets no message', async () => {
    const [ticketId = ''] = await opened(1);
    support.plan.first = () => support.patientWrites(userId, ticketId, monday);
    const answer = support.staffWrites(ticketId, monday, { ifMatch: '"1"' });
    expect(await outcome(answer)).toBe('PRECONDITION_FAILED');
    expect(await support.rows('AgentBoardMessages', userId)).toEqual([]);
  });

  test('the patient never has to read again: comments at once are all stored', async () => {
    const [ticketId = ''] = await opened(1);
    support.plan.first = () => support.staffWrites(ticketId, monday, {});
    expect(await outcome(support.patientWrites(userId, ticketId, monday))).toBe('ok');
    const written = [1, 2, 3].map(() => outcome(support.patientWrites(userId, ticketId, monday)));
    expect(await Promise.all(written)).toEqual(['ok', 'ok', 'ok']);
    const shown = (await support.rows('SupportTickets', ticketId)).filter(({ name }) => name.startsWith('shown#'));
    expect(shown).toHaveLength(6);
  });
});

describe('a try that took effect although the answer was a conflict, before somebody else writes', () => {
  test('of the patient: the comment is stored once', async () => {
    const [ticketId = ''] = await opened(1);
    support.plan.lost = () => support.staffWrites(ticketId, monday, {});
    expect(await outcome(support.patientWrites(userId, ticketId, monday))).toBe('ok');
    const shown = await support.rows('SupportTickets', '"body":"More"');
    expect(shown.filter((row) => row.ticketId === ticketId && row.name.startsWith('shown#'))).toHaveLength(1);
    expect((await support.ticket(ticketId))?.revision).toBe(3);
  });

  test('of the support: the answer is stored once, and has the revision that it made', async () => {
    const [ticketId = ''] = await opened(1);
    support.plan.lost = () => support.patientWrites(userId, ticketId, monday);
    const written = await support.staffWrites(ticketId, monday, { body: 'Of the support' });
    expect(written).toMatchObject({ revision: 2, comment: { body: 'Of the support' } });
    expect((await support.ticket(ticketId))?.revision).toBe(3);
    const board = await support.rows('AgentBoardMessages', userId);
    expect(board.filter(({ title }) => title !== undefined)).toHaveLength(1);
  });
});

describe('14 days after it was solved', () => {
  const solvedAt = '2026-11-24T10:00:00.000Z';
  const border = '2026-12-08T10:00:00.000Z';
  const after = '2026-12-08T10:00:00.001Z';

  async function solved(): Promise<string> {
    const [ticketId = ''] = await opened(1);
    await support.move(ticketId, 'solved', solvedAt);
    return ticketId;
  }

  test('a run closes it from the next millisecond on, once', async () => {
    const ticketId = await solved();
    await support.closeLapsed(border);
    expect((await support.ticket(ticketId))?.state).toBe('solved');
    await support.closeLapsed(after);
    const closed = await support.ticket(ticketId);
    expect(closed).toMatchObject({ state: 'closed', solvedAt, revision: 3 });
    await support.closeLapsed(after);
    expect(await support.ticket(ticketId)).toEqual(closed);
  });

  test('the patient can reopen it until then, and a run that read it before leaves it open', async () => {
    const ticketId = await solved();
    support.plan.first = () => support.patientWrites(userId, ticketId, border);
    await support.closeLapsed(after);
    expect((await support.ticket(ticketId))?.state).toBe('reopened');
  });

  test('after an answer the patient has the same time again', async () => {
    const ticketId = await solved();
    await support.staffWrites(ticketId, border, {});
    expect(await support.ticket(ticketId)).toMatchObject({ state: 'solved', solvedAt: border });
    await support.closeLapsed(after);
    expect(await outcome(support.patientWrites(userId, ticketId, '2026-12-22T10:00:00.000Z'))).toBe('ok');
    expect((await support.ticket(ticketId))?.state).toBe('reopened');
  });

  test('then it gets no comment, even if no run has closed it yet', async () => {
    const ticketId = await solved();
    expect(await outcome(support.patientWrites(userId, ticketId, after))).toBe('TICKET_CLOSED');
    await support.closeLapsed(after);
    expect(await outcome(support.patientWrites(userId, ticketId, border))).toBe('TICKET_CLOSED');
  });
});

test('overdue from the millisecond after it is due, until it is answered', async () => {
  // No other ticket of this file is due that early.
  const [friday, due] = ['2026-01-09T08:00:00.000Z', '2026-01-09T16:00:00.000Z'];
  const { ticketId } = await support.open(userId, friday);
  const overdue = (at: string) => countOverdue(support.tables, new Date(at), () => 60_000);
  expect(await overdue(due)).toBe(0);
  expect(await overdue('2026-01-09T16:00:00.001Z')).toBe(1);
  // Nobody can answer a closed account; what is restored is overdue again.
  for (const isClosed of [true, false]) {
    await support.put('Accounts', { userId, part: 'account', isClosed, ends: [] });
    expect(await overdue('2026-01-09T16:00:00.001Z')).toBe(isClosed ? 0 : 1);
  }
  await support.staffWrites(ticketId, due, {});
  expect(await overdue('2026-01-09T16:00:00.001Z')).toBe(0);
});

test('rows of the list without their ticket, or of closed accounts, hide nothing that is overdue', async () => {
  const [gone, friday, at] = [randomUUID(), '2026-01-09T08:00:00.000Z', new Date('2026-01-09T16:00:00.001Z')];
  const overdue = (remainingMs = () => 60_000) => countOverdue(support.tables, at, remainingMs);
  await support.put('Accounts', { userId: gone, part: 'account', isClosed: true, ends: [] });
  const { ticketId } = await support.open(userId, friday);
  const planted = Array.from({ length: 1100 }, (_, number) => ({ part: 'due', name: `0#${number}`, userId: gone }));
  const names = [`1#${ticketId}`, '1#', '1', `1#${'n'.repeat(1000)}`, `2025-01-01T00:00:00.000Z#${ticketId}`];
  const others = names.map((name) => ({ part: 'due', name, ticketId, userId: 'x' }));
  for (const row of [...planted, ...others]) await support.put('SupportTickets', row);
  expect(await overdue()).toBe(1);
  // The list says that it is of a closed account; the ticket does not.
  const [listed] = (await support.rows('SupportTickets', ticketId)).filter(({ name }) =>
    name.startsWith('2026-01-09T16'),
  );
  await support.put('SupportTickets', { ...listed, userId: gone });
  expect(await overdue()).toBe(1);
  let times = 0;
  await expect(overdue(() => (times++ < 3 ? 60_000 : 0))).rejects.toThrow('no time');
  await support.staffWrites(ticketId, friday, {});
  for (const { part, name } of [...planted, ...others]) await support.remove('SupportTickets', { part, name });
  expect(await overdue()).toBe(0);
});

describe('an erasure', () => {
  test('of the patient deletes the tickets, with what staff wrote, and the count', async () => {
    const [ticketId = '', other = ''] = await opened(2);
    await support.staffWrites(ticketId, monday, { visibility: 'internal', body: note });
    await support.staffWrites(ticketId, monday, {});
    await support.move(other, 'solved', monday);
    await support.erase(userId);
    for (const text of [userId, ticketId, other]) expect(await support.rows('SupportTickets', text)).toEqual([]);
    await support.erase(userId);
  });

  test('after a change deletes what the change wrote, too', async () => {
    const [ticketId = ''] = await opened(1);
    support.plan.first = () => support.move(ticketId, 'solved', monday);
    await support.erase(userId);
    expect(await support.rows('SupportTickets', userId)).toEqual([]);
  });

  test('of a ticket with more rows than a transaction can have, also after a crash in the middle', async () => {
    const [ticketId = ''] = await opened(1);
    for (let number = 0; number < 60; number += 1) await support.staffWrites(ticketId, monday, {});
    // The ticket with its lists, the first hundred comments, and then no more.
    const killed = () => Promise.reject(new Error('killed'));
    const then = (next: () => Promise<unknown>) => async () => {
      support.plan.first = next;
    };
    support.plan.first = then(then(killed));
    await expect(support.erase(userId)).rejects.toThrow('killed');
    expect((await support.rows('SupportTickets', ticketId)).length).toBeGreaterThan(20);
    await support.erase(userId);
    for (const text of [userId, ticketId]) expect(await support.rows('SupportTickets', text)).toEqual([]);
  });

  test('of a member of staff leaves what they wrote, under the name of a role and a random id', async () => {
    const [ticketId = ''] = await opened(1);
    const actor = randomUUID();
    await support.staffWrites(ticketId, monday, { actor, role: 'admin' });
    await support.erase(actor);
    const shown = (await support.rows('SupportTickets', actor)).filter(({ name }) => name.startsWith('all#'));
    expect(shown).toMatchObject([{ authorId: actor, authorRole: 'admin', body: 'Answer' }]);
    expect(Object.keys(shown[0] ?? {}).filter((name) => name.startsWith('author'))).toEqual(['authorId', 'authorRole']);
  });
});

test('an export has what the patient sees: no note, nobody of the staff, and no count', async () => {
  const [ticketId = ''] = await opened(1);
  const actor = randomUUID();
  await support.staffWrites(ticketId, monday, { actor, visibility: 'internal', body: note });
  await support.staffWrites(ticketId, '2026-11-23T09:00:00.000Z', { actor });
  const rows = await support.exported(userId);
  expect(rows).toMatchObject([{ ticketId, state: 'open' }, { body: 'Text' }, { body: 'Answer', by: 'support' }]);
  for (const hidden of [note, actor, 'unsolved', 'authorRole']) expect(JSON.stringify(rows)).not.toContain(hidden);
});
