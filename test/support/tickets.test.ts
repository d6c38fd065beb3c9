import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { ownLooks } from '../access-log/own-looks.ts';
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

describe('a patient asks', () => {
  test('and reads it, and no other patient can', async () => {
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
    const refused = [
      () => other.get(ownTicket(ticketId)),
      () => other.get(ownComments(ticketId)),
      () => other.post(ownComments(ticketId), { body: { body: 'Of somebody else' } }),
      () => me.get(ownTicket('none')),
      () => staff.get(ticketPath('none')),
    ];
    for (const ask of refused) {
      const { status, body } = await ask();
      expect([status, body.code]).toEqual([404, 'TICKET_NOT_FOUND']);
    }
    expect((await me.get(ownComments(ticketId))).body.items).toHaveLength(1);
  });

  test('twice with one key: one ticket, and one comment', async () => {
    const me = await patient();
    const headers = { 'idempotency-key': randomUUID() };
    const opened = await me.post(own, { body: request, headers });
    expect(opened.status).toBe(201);
    expect((await me.post(own, { body: request, headers })).body).toEqual(opened.body);
    const path = ownComments(opened.body.ticketId);
    const written = await me.post(path, { body: { body: 'Once more' }, headers });
    expect(written.status).toBe(201);
    expect((await me.post(path, { body: { body: 'Once more' }, headers })).body).toEqual(written.body);
    expect((await me.get(own)).body.items).toHaveLength(1);
    expect((await me.get(path)).body.items).toHaveLength(2);
    const other = await me.post(path, { body: { body: 'Something else' }, headers });
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });
});

describe('the support answers', () => {
  test('the patient gets one message on the board, and reads the answer; the log says who looked', async () => {
    const me = await patient();
    const { ticketId } = await openedBy(me);
    const first = { ...(await seen(staff, ticketId)), 'idempotency-key': randomUUID() };
    const answering = { body: { visibility: 'patient', body: 'An answer of the support' }, headers: first };
    const { status, body, headers } = await staff.post(comments(ticketId), answering);
    expect(status).toBe(201);
    // The answer was lost, and is asked for again.
    expect((await staff.post(comments(ticketId), answering)).body).toEqual(body);
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
    const looks = await ownLooks(me);
    const actions = looks.map(({ action }) => action);
    expect(actions).toContain('POST /crm/tickets/{ticketId}/comments');
    for (const look of looks) expect(look).toMatchObject({ relation: 'support', consent: null });
  });

  test('a repeated request with a key gets the old ETag, even if the patient has written since', async () => {
    const me = await patient();
    const { ticketId } = await openedBy(me);
    for (const visibility of ['patient', 'internal']) {
      const headers = { ...(await seen(staff, ticketId)), 'idempotency-key': randomUUID() };
      const writing = { body: { visibility, body: 'Written, and the answer lost' }, headers };
      const first = await staff.post(comments(ticketId), writing);
      await me.post(ownComments(ticketId), { body: { body: 'One thing more' } });
      const again = await staff.post(comments(ticketId), writing);
      expect([again.status, again.body]).toEqual([201, first.body]);
      const etag = again.headers.get('etag') ?? '';
      expect(etag).toBe(first.headers.get('etag'));
      const blind = await staff.post(transition(ticketId), { body: { to: 'solved' }, headers: { 'if-match': etag } });
      expect([blind.status, blind.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    }
  });

  test('a request that changes nothing makes no revision and no audit event', async () => {
    const { ticketId } = await openedBy(await patient());
    for (const body of [{}, { assigneeId: null }, { priority: 'normal' }]) {
      const { status, headers } = await staff.patch(ticketPath(ticketId), { body, headers: { 'if-match': '"1"' } });
      expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    }
    expect((await staff.patch(ticketPath(ticketId), { body: {}, headers: { 'if-match': '"2"' } })).status).toBe(412);
  });

  test('412 until the caller has seen what the patient wrote', async () => {
    const me = await patient();
    const { ticketId } = await openedBy(me);
    const headers = await seen(staff, ticketId);
    await me.post(ownComments(ticketId), { body: { body: 'It is settled' } });
    const late = [
      await staff.post(comments(ticketId), { body: { visibility: 'patient', body: 'Too late' }, headers }),
      await staff.post(transition(ticketId), { body: { to: 'solved' }, headers }),
      await staff.patch(ticketPath(ticketId), { body: { priority: 'low' }, headers }),
    ];
    for (const { status, body } of late) expect([status, body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    const blind = await staff.post(transition(ticketId), { body: { to: 'solved' } });
    expect([blind.status, blind.body.code]).toEqual([428, 'PRECONDITION_REQUIRED']);
    expect((await me.get('/agent-board/messages')).body.items).toEqual([]);
  });
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

  test('a ticket is on the lists of its state, priority and assignee, and is removed from them', async () => {
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

  test('a cursor works only in its own list', async () => {
    const me = await patient();
    for (let times = 0; times < 2; times += 1) await openedBy(me);
    const { nextCursor } = (await staff.get(`${tickets}?state=new&limit=1`)).body.metadata;
    const cursor = `cursor=${encodeURIComponent(nextCursor)}`;
    expect((await staff.get(`${tickets}?state=new&limit=1&${cursor}`)).status).toBe(200);
    const { status, body } = await staff.get(`${tickets}?priority=normal&limit=1&${cursor}`);
    expect([status, body.code]).toEqual([400, 'INVALID_CURSOR']);
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
  const late = [
    await me.post(ownComments(ticketId), { body: { body: 'Too late' } }),
    await answeredBy(staff, ticketId, 'Too late'),
    await answeredBy(staff, ticketId, 'Too late', 'internal'),
  ];
  for (const { status, body } of late) expect([status, body.code]).toEqual([409, 'TICKET_CLOSED']);
});

test.skipIf(isDeployed())('an answer is one push, which says nothing of its text', async () => {
  const me = await patient();
  const phone = { platform: 'android', environment: 'production', appVersion: '1.0.0', locale: 'de-DE' };
  await me.put('/users/me/devices/phone', { body: { ...phone, token: randomUUID() } });
  const { ticketId } = await openedBy(me);
  const answering = { body: { visibility: 'patient', body: 'Secret' }, headers: await seen(staff, ticketId) };
  const keyed = { ...answering, headers: { ...answering.headers, 'idempotency-key': randomUUID() } };
  for (let times = 0; times < 2; times += 1) {
    expect((await staff.post(comments(ticketId), keyed)).status).toBe(201);
  }
  await answeredBy(staff, ticketId, 'A note', 'internal');
  // What is posted after it is pushed after it.
  await staff.post(`/users/${me.user}/agent-board/messages`, { body: { title: 'Last', body: 'Text' } });
  const pushes = async () => {
    const answer = await fetch(new URL(`/_local/pushes?userId=${me.user}`, baseUrl()));
    return ((await answer.json()) as { items: unknown[] }).items;
  };
  await eventually(async () => expect(await pushes()).toHaveLength(2));
  expect(JSON.stringify(await pushes())).not.toContain('Secret');
  expect((await me.get('/agent-board/messages')).body.metadata.count).toBe(2);
});

test.skipIf(isDeployed())('other services learn of states only by ids and times', async () => {
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

test('of a patient with a closed account: it can be read, assigned and solved, but gets no comment', async () => {
  const me = await patient();
  const { ticketId } = await openedBy(me);
  const headers = { ...(await seen(staff, ticketId)), 'idempotency-key': randomUUID() };
  const body = { visibility: 'patient', body: 'Before' };
  const before = await staff.post(comments(ticketId), { body, headers });
  expect(before.status).toBe(201);
  expect((await me.delete('/users/me')).status).toBe(200);
  for (const visibility of ['patient', 'internal']) {
    const { status, body: refused } = await answeredBy(staff, ticketId, 'Too late', visibility);
    expect([status, refused.code]).toEqual([409, 'PATIENT_ACCOUNT_CLOSED']);
  }
  // What was written is answered as it was then.
  expect((await staff.post(comments(ticketId), { body, headers })).body).toEqual(before.body);
  expect((await staff.get(ticketPath(ticketId))).status).toBe(200);
  expect((await staff.get(comments(ticketId))).body.items).toHaveLength(2);
  const assigned = { body: { assigneeId: staff.user }, headers: await seen(staff, ticketId) };
  expect((await staff.patch(ticketPath(ticketId), assigned)).body).toMatchObject({ assigneeId: staff.user });
  expect((await movedBy(staff, ticketId, 'solved')).body).toMatchObject({ state: 'solved' });
});
