import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Id } from '../../lib/contract/fields.ts';
import { call, client } from '../api.ts';
import { agent, board, boardOf, patient, posted } from './people.ts';

const [staff, user] = await Promise.all([agent(), patient()]);

const message = { title: 'Your appointment', body: 'It was moved to Monday.' };

describe('201', () => {
  test('the message, without who wrote it, as the patient reads it', async () => {
    const reader = await patient();
    const { status, body } = await staff.post(boardOf(reader), { body: message });
    expect(status).toBe(201);
    expect(body).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      ...message,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      readAt: null,
    });
    expect(Id.safeParse(body.messageId).success).toBe(true);
    expect((await reader.get(board)).body).toMatchObject({ items: [body], metadata: { unreadCount: 1 } });
  });

  test('the ids of later messages are greater', async () => {
    const ids = await posted(await patient(), staff, 5);
    expect(ids).toEqual([...new Set(ids)].toSorted());
  });

  test.each([
    ['the longest texts', { title: 'x'.repeat(200), body: 'ü'.repeat(10_000) }],
    ['one character each', { title: '!', body: '?' }],
    ['several lines, as they are', { title: ' Two ', body: '\nfirst\r\n\tsecond 👩‍⚕️ ' }],
  ])('%s', async (_name, body) => {
    expect(await staff.post(boardOf(user), { body })).toMatchObject({ status: 201, body });
  });

  test('undeclared fields are dropped', async () => {
    const extended = { ...message, messageId: 'mine', readAt: '2026-01-01T00:00:00.000Z', authorId: 'someone-else' };
    const { status, body } = await staff.post(boardOf(user), { body: extended });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...message, messageId: expect.not.stringMatching('mine'), readAt: null });
  });
});

describe('400', () => {
  const notBlank = { code: 'invalid_format', message: expect.stringMatching(/^must not be blank/) };
  const blank = [{ in: 'body', path: 'title', ...notBlank }];
  test.each<[string, unknown, object]>([
    ['no body', undefined, { issues: [{ in: 'body', path: '', code: 'required' }] }],
    ['no title', { body: 'x' }, { issues: [{ in: 'body', path: 'title', code: 'required' }] }],
    ['no text', { title: 'x' }, { issues: [{ in: 'body', path: 'body' }] }],
    ['neither', {}, { issues: [{ path: 'title' }, { path: 'body' }] }],
    ['an empty title', { title: '', body: 'x' }, { issues: blank }],
    ['a blank title', { title: ' \n\t', body: 'x' }, { issues: blank }],
    ['a blank text', { title: 'x', body: '  ' }, { issues: [{ path: 'body', ...notBlank }] }],
    ['a title of 201', { title: 'x'.repeat(201), body: 'x' }, { issues: [{ path: 'title' }] }],
    ['a text of 10,001', { title: 'x', body: 'x'.repeat(10_001) }, { issues: [{ path: 'body' }] }],
    ['half a surrogate pair', '{"title":"\\ud83d","body":"x"}', { issues: [{ path: 'title' }] }],
    ['a title of two lines', { title: 'a\nb', body: 'x' }, { issues: [{ path: 'title', code: 'invalid_format' }] }],
    ['a bell', { title: 'x', body: 'a\u0007' }, { issues: [{ path: 'body', code: 'invalid_format' }] }],
    ['a number', { title: 7, body: 'x' }, { issues: [{ path: 'title' }] }],
    ['null', { title: 'x', body: null }, { issues: [{ path: 'body' }] }],
  ])('%s', async (_name, body, detail) => {
    const answer = await staff.post(boardOf(user), { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', detail } });
  });

  test.each([
    ['broken JSON', '{"title":', 'application/json', 'MALFORMED_JSON'],
    ['a form', 'title=x', 'application/x-www-form-urlencoded', 'UNSUPPORTED_CONTENT_TYPE'],
  ])('%s', async (_name, body, type, code) => {
    const answer = await staff.post(boardOf(user), { body, headers: { 'Content-Type': type } });
    expect(answer).toMatchObject({ status: 400, body: { code } });
  });

  test('nothing of it reaches the board', async () => {
    const reader = await patient();
    await staff.post(boardOf(reader), { body: { title: '', body: 'x' } });
    expect((await reader.get(board)).body).toMatchObject({ items: [], metadata: { unreadCount: 0 } });
  });
});

test('401 without a token', async () => {
  const answer = await call('POST', boardOf(user), { application: 'medinfo', body: message });
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

test('403 for a developer of medinfo, before anything is looked at', async () => {
  const developer = await client({ application: 'medinfo', roles: 'developer' });
  const answer = await developer.post(boardOf(user), { body: '{broken' });
  expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

describe('404', () => {
  test('a physician, about a patient who is with none of their sites', async () => {
    const doctor = await client({ application: 'medinfo', roles: 'physician' });
    const answer = await doctor.post(boardOf(user), { body: message });
    expect(answer).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND', detail: null } });
  });

  test('in the sleep-care application, whose patients write to nobody', async () => {
    const answer = await user.post(boardOf(user), { body: message });
    expect(answer).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } });
  });

  test.each([
    ['a user whom nobody has seen', randomUUID()],
    ['a reserved id', 'me'],
    ['an id of another form', 'a%20b'],
    ['the row of an address', `email%23${'0'.repeat(58)}`],
  ])('%s', async (_name, userId) => {
    const answer = await staff.post(boardOf({ user: userId }), { body: message });
    expect(answer).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND', detail: null } });
  });

  test('a user of medinfo', async () => {
    const physician = await client({ application: 'medinfo', roles: 'physician' });
    await physician.get('/users/me');
    const answer = await staff.post(boardOf(physician), { body: message });
    expect(answer).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  });
});

test('413: a body of two megabytes', async () => {
  const answer = await staff.post(boardOf(user), { body: { ...message, note: 'x'.repeat(2_000_000) } });
  expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE', detail: null } });
});
