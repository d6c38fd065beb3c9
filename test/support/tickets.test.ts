import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { baseUrl, isDeployed } from '../api.ts';
import { eventually } from '../eventually.ts';
import {
  type Agent,
  agent,
  answeredBy,
  comments,
  movedBy,
  openedBy,
  own,
  ownComments,
  ownTicket,
  patient,
  request,
  seen,
  ticketPath,
  tickets,
  transition,
} from './people.ts';

let staff: Agent;
beforeAll(async () => {
  staff = await agent();
});

const note = 'Internal: not for the patient';

describe('a patient asks', () => {
  test('and reads it, which nobody else does', async () => {
    const [me, other] = [await patient(), await patient()];
    const ticket = await openedBy(me);
    expect(ticket).toEqual({
      ticketId: expect.any(String),
      subject: request.subject,
      state: 'new',
      createdAt: expect.any(String),
      updatedAt: ticket.createdAt,
      solvedAt: null,
    });
    const { ticketId } = ticket;
    expect((await me.get(own)).body.items).toEqual([ticket]);
    expect((await me.get(ownTicket(ticketId))).body).toEqual(ticket);
    expect((await me.get(ownComments(ticketId))).body.items).toEqual([
      { commentId: ticketId, by: 'patient', body: request.body, createdAt: ticket.createdAt },
    ]);
    expect((await other.get(own)).body.items).toEqual([]);
    const refused = await Promise.all([
      other.get(ownTicket(ticketId)),
      other.get(ownComments(ticketId)),
      other.post(ownComments(ticketId), { body: { body: 'Of somebody else' } }),
      me.get(ownTicket('none')),
      staff.get(ticketPath('none')),
    ]);
    for (const { status, body } of refused) expect([status, body.code]).toEqual([404, 'TICKET_NOT_FOUND']);
    expect((await me.get(ownComments(ticketId))).body.items).toHaveLength(1);
  });

  test('twice under one key: one ticket, and one comment', async () => {
    const me = await patient();
    const headers = { 'idempotency-key': randomUUID() };
    const opened = await Promise.all([1, 2].map(() => me.post(own, { body: request, headers })));
    expect(opened.map(({ status }) => status)).toEqual([201, 201]);
    const [{ body: ticket }, again] = opened as [(typeof opened)[0], (typeof opened)[0]];
    expect(again.body).toEqual(ticket);
    const path = ownComments(ticket.ticketId);
    const written = await Promise.all([1, 2].map(() => me.post(path, { body: { body: 'Once more' }, headers })));
    expect(written.map(({ status }) => status)).toEqual([201, 201]);
    expect(written[0]?.body).toEqual(written[1]?.body);
    expect((await me.get(own)).body.items).toHaveLength(1);
    expect((await me.get(path)).body.items).toHaveLength(2);
    const other = await me.post(path, { body: { body: 'Something else' }, headers });
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('comments at once are all there', async () => {
    const me = await patient();
    const { ticketId } = await openedBy(me);
    const texts = ['one', 'two', 'three', 'four'];
    const answers = await Promise.all(texts.map((body) => me.post(ownComments(ticketId), { body: { body } })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { items } = (await me.get(ownComments(ticketId))).body;
    expect(items.map(({ body }: { body: string }) => body).toSorted()).toEqual([request.body, ...texts].toSorted());
  });
});

describe('the support answers', () => {
  test('the patient gets one message on the board, and reads the answer; the log says who looked', async () => {
    const me = await patient();
    const { ticketId } = await openedBy(me);
    const { status, body, headers } = await answeredBy(staff, ticketId, 'An answer of the support');
    expect(status).toBe(201);
    expect(body).toMatchObject({ by: 'support', authorId: staff.user, authorRole: 'agent', visibility: 'patient' });
    expect(headers.get('etag')).toBe('"2"');
    expect((await me.get(ownTicket(ticketId))).body.state).toBe('open');
    const shown = (await me.get(ownComments(ticketId))).body.items;
    expect(shown.map(({ by }: { by: string }) => by)).toEqual(['patient', 'support']);
    expect(JSON.stringify(shown)).not.toContain(staff.user);
    const board = (await me.get('/agent-board/messages')).body;
    expect(board.items).toHaveLength(1);
    expect(board.metadata.unreadCount).toBe(1);
    expect(JSON.stringify(board)).not.toContain('An answer of the support');
    const { items } = (await me.get('/users/me/access-log')).body;
    const actions = items.map(({ action }: { action: string }) => action);
    expect(actions).toContain('POST /crm/tickets/{ticketId}/comments');
    for (const look of items) expect(look).toMatchObject({ relation: 'support', consent: null });
  });

  test('two at once: the second has to look again, and the patient gets one message', async () => {
    const me = await patient();
    const { ticketId } = await openedBy(me);
    const other = await agent('admin');
    const headers = await seen(staff, ticketId);
    const body = { visibility: 'patient', body: 'Both at once' };
    const answers = await Promise.all([staff, other].map((one) => one.post(comments(ticketId), { body, headers })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 412]);
    expect((await me.get('/agent-board/messages')).body.items).toHaveLength(1);
    expect((await me.get(ownComments(ticketId))).body.items).toHaveLength(2);
  });

  test('twice under one key: one answer, and one message', async () => {
    const me = await patient();
    const { ticketId } = await openedBy(me);
    const headers = { ...(await seen(staff, ticketId)), 'idempotency-key': randomUUID() };
    const body = { visibility: 'patient', body: 'A lost answer' };
    const answers = await Promise.all([1, 2].map(() => staff.post(comments(ticketId), { body, headers })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect((await me.get('/agent-board/messages')).body.items).toHaveLength(1);
  });

  test('what the patient wrote meanwhile has to be seen first', async () => {
    const me = await patient();
    const { ticketId } = await openedBy(me);
    const headers = await seen(staff, ticketId);
    await me.post(ownComments(ticketId), { body: { body: 'It is settled' } });
    const late = await Promise.all([
      staff.post(comments(ticketId), { body: { visibility: 'patient', body: 'Too late' }, headers }),
      staff.post(transition(ticketId), { body: { to: 'solved' }, headers }),
      staff.patch(ticketPath(ticketId), { body: { priority: 'low' }, headers }),
    ]);
    for (const { status, body } of late) expect([status, body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    const blind = await staff.post(transition(ticketId), { body: { to: 'solved' } });
    expect([blind.status, blind.body.code]).toEqual([428, 'PRECONDITION_REQUIRED']);
    expect((await me.get('/agent-board/messages')).body.items).toEqual([]);
  });

  test('no account that is being deleted gets an answer', async () => {
    const me = await patient();
    const { ticketId } = await openedBy(me);
    const headers = await seen(staff, ticketId);
    expect((await me.delete('/users/me')).status).toBe(200);
    const body = { visibility: 'patient', body: 'To nobody' };
    expect((await staff.post(comments(ticketId), { body, headers })).status).toBe(404);
  });
});

test('an internal note is shown to staff, and at no route to the patient', async () => {
  const me = await patient();
  const { ticketId } = await openedBy(me);
  const before = (await me.get(ownTicket(ticketId))).body;
  expect((await answeredBy(staff, ticketId, note, 'internal')).status).toBe(201);
  const { items } = (await staff.get(comments(ticketId))).body;
  expect(items.map(({ body }: { body: string }) => body)).toEqual([request.body, note]);
  const reads = [own, ownTicket(ticketId), ownComments(ticketId), '/agent-board/messages', '/users/me/access-log'];
  for (const path of reads) expect(JSON.stringify((await me.get(path)).body)).not.toContain(note);
  // Not even that there is one.
  expect((await me.get(ownTicket(ticketId))).body).toEqual(before);
  expect((await me.get(ownComments(ticketId))).body.items).toHaveLength(1);
  const refused = await me.post(ownComments(ticketId), { body: { body: 'Mine', visibility: 'internal' } });
  expect(refused.status).toBe(201);
  expect((await me.get(ownComments(ticketId))).body.items).toHaveLength(2);
});

describe('lists', () => {
  const idsOn = async (query: string) => {
    const found: string[] = [];
    let cursor = '';
    do {
      const { status, body } = await staff.get(`${tickets}?${query}&limit=100${cursor}`);
      expect(status).toBe(200);
      found.push(...body.items.map((ticket: { ticketId: string }) => ticket.ticketId));
      cursor = body.metadata.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.metadata.nextCursor)}`;
    } while (cursor !== '');
    return found;
  };

  test('a ticket is on those of its state, priority and assignee, and leaves them', async () => {
    const { ticketId } = await openedBy(await patient());
    expect(await idsOn('state=new')).toContain(ticketId);
    const headers = await seen(staff, ticketId);
    const body = { assigneeId: staff.user, priority: 'high' };
    const changed = await staff.patch(ticketPath(ticketId), { body, headers });
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ ...body, isOverdue: false })]);
    expect(await idsOn(`assigneeId=${staff.user}`)).toEqual([ticketId]);
    expect(await idsOn('priority=high')).toContain(ticketId);
    expect(await idsOn('priority=normal')).not.toContain(ticketId);
    expect((await movedBy(staff, ticketId, 'solved')).body).toMatchObject({
      state: 'solved',
      solvedAt: expect.any(String),
    });
    expect(await idsOn(`assigneeId=${staff.user}`)).toEqual([]);
    expect(await idsOn('priority=high')).not.toContain(ticketId);
    expect(await idsOn('state=new')).not.toContain(ticketId);
    expect(await idsOn('state=solved')).toContain(ticketId);
    expect(await idsOn('overdue=true')).not.toContain(ticketId);
    const admin = await agent('admin');
    const { items } = (await admin.get(`/admin/audit-events?subject=ticket/${ticketId}`)).body;
    const actions = items.map(({ action }: { action: string }) => action);
    expect(actions.toSorted()).toEqual(['ticket.changed', 'ticket.moved']);
    expect(JSON.stringify(items)).not.toContain(request.subject);
  });

  test('one at a time', async () => {
    const { status, body } = await staff.get(`${tickets}?state=new&priority=high`);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  test.each([
    ['nobody', () => randomUUID()],
    ['a patient', async () => (await patient()).user],
  ])('a ticket is given to none of the staff: %s', async (_case, userId) => {
    const { ticketId } = await openedBy(await patient());
    const headers = await seen(staff, ticketId);
    const { status, body } = await staff.patch(ticketPath(ticketId), { body: { assigneeId: await userId() }, headers });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});

test('solved, reopened by the patient, closed for good', async () => {
  const me = await patient();
  const { ticketId } = await openedBy(me);
  await movedBy(staff, ticketId, 'solved');
  await me.post(ownComments(ticketId), { body: { body: 'Not yet' } });
  expect((await me.get(ownTicket(ticketId))).body).toMatchObject({ state: 'reopened', solvedAt: null });
  const back = await movedBy(staff, ticketId, 'closed');
  expect([back.status, back.body.code]).toEqual([409, 'TICKET_TRANSITION_REFUSED']);
  for (const to of ['solved', 'closed']) expect((await movedBy(staff, ticketId, to)).status).toBe(200);
  const late = await Promise.all([
    me.post(ownComments(ticketId), { body: { body: 'Too late' } }),
    answeredBy(staff, ticketId, 'Too late'),
    answeredBy(staff, ticketId, 'Too late', 'internal'),
  ]);
  for (const { status, body } of late) expect([status, body.code]).toEqual([409, 'TICKET_CLOSED']);
});

test.skipIf(isDeployed())('other services learn of states by ids and times alone', async () => {
  const me = await patient();
  const { ticketId } = await openedBy(me);
  await movedBy(staff, ticketId, 'open');
  const events = async (detailType: string) => {
    const answer = await fetch(new URL(`/_local/bus-events?detailType=${detailType}`, baseUrl()));
    const { items } = (await answer.json()) as { items: { event?: { detail?: { ticketId?: string } } }[] };
    return items.map(({ event }) => event?.detail).filter((detail) => detail?.ticketId === ticketId);
  };
  const told = (state: string) => [{ ticketId, userId: me.user, state, updatedAt: expect.any(String) }];
  await eventually(async () => {
    expect(await events('TicketOpened')).toEqual(told('new'));
    expect(await events('TicketStateChanged')).toEqual(told('open'));
  });
});
