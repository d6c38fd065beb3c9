import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { agent, board, boardOf, patient } from '../agent-board/people.ts';
import { client } from '../api.ts';

/** Staff routes that create: the same key by the same caller creates one thing. */

const staff = await agent();

const message = { title: 'Your appointment', body: 'It was moved to Monday.' };
const keyed = (body: object, key: string = randomUUID()) => ({ body, headers: { 'Idempotency-Key': key } });
const reused = { status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED', detail: null } };

describe('a message', () => {
  test('that is posted again gets the first answer, and is there once', async () => {
    const reader = await patient();
    const sent = keyed(message);
    const first = await staff.post(boardOf(reader), sent);
    expect(first.status).toBe(201);
    await reader.post(`${board}/${first.body.messageId}/read`);
    // Also in quotes, and after it was read: it is the first answer, and not what is now.
    const quoted = { body: message, headers: { 'Idempotency-Key': `"${sent.headers['Idempotency-Key']}"` } };
    for (const again of [sent, quoted]) {
      expect(await staff.post(boardOf(reader), again)).toMatchObject({ status: 201, body: first.body });
    }
    expect((await reader.get(board)).body.metadata).toMatchObject({ count: 1, unreadCount: 0 });
  });

  test('of 20 parallel requests with one key one creates, and all get its answer', async () => {
    const reader = await patient();
    const sent = keyed(message);
    const answers = await Promise.all(Array.from({ length: 20 }, () => staff.post(boardOf(reader), sent)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await reader.get(board)).body.metadata.count).toBe(1);
  });

  test('409: another body, or another user’s board, under the key; nothing is posted', async () => {
    const [reader, other] = await Promise.all([patient(), patient()]);
    const sent = keyed(message);
    await staff.post(boardOf(reader), sent);
    expect(await staff.post(boardOf(reader), { ...sent, body: { ...message, title: 'Another' } })).toMatchObject(
      reused,
    );
    expect(await staff.post(boardOf(other), sent)).toMatchObject(reused);
    expect((await reader.get(board)).body.metadata.count).toBe(1);
    expect((await other.get(board)).body.metadata.count).toBe(0);
  });

  test('of two different requests at once with one key one is 409', async () => {
    const reader = await patient();
    const key = randomUUID();
    const answers = await Promise.all(
      ['One', 'Two'].map((title) => staff.post(boardOf(reader), keyed({ ...message, title }, key))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect((await reader.get(board)).body.metadata.count).toBe(1);
  });

  test('another caller’s key is another one', async () => {
    const [reader, colleague] = await Promise.all([patient(), agent()]);
    const sent = keyed(message);
    await staff.post(boardOf(reader), sent);
    expect((await colleague.post(boardOf(reader), sent)).status).toBe(201);
    expect((await reader.get(board)).body.metadata.count).toBe(2);
  });

  test('what was refused takes no key', async () => {
    const reader = await patient();
    const key = randomUUID();
    expect((await staff.post(boardOf({ user: randomUUID() }), keyed(message, key))).status).toBe(404);
    expect((await staff.post(boardOf(reader), keyed({ title: '' }, key))).status).toBe(400);
    expect((await staff.post(boardOf(reader), keyed(message, key))).status).toBe(201);
  });

  test.each(['', 'two words', 'a'.repeat(256)])('400: the key %j', async (key) => {
    const reader = await patient();
    expect(await staff.post(boardOf(reader), keyed(message, key))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', detail: { issues: [{ in: 'header', path: 'idempotency-key' }] } },
    });
  });
});

describe('an agreement and its version', () => {
  test('that are created again get the first answer; without the key, or with another one, they are taken', async () => {
    const admin = await client({ application: 'medinfo', roles: 'admin' });
    const agreementId = `once-${randomUUID()}`;
    const agreement = { agreementId, application: 'medinfo', title: 'Once', isRequired: false, position: 900_000 };
    const created = keyed(agreement);
    const answers = await Promise.all([1, 2, 3].map(() => admin.post('/agreements', created)));
    for (const { status, body } of answers) expect([status, body]).toEqual([201, { ...agreement, versions: [] }]);
    expect(await admin.post('/agreements', { ...created, body: { ...agreement, title: 'Other' } })).toMatchObject(
      reused,
    );
    for (const other of [{ body: agreement }, keyed(agreement)]) {
      expect(await admin.post('/agreements', other)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    }

    const content = { title: 'Once', contentUrl: 'https://example.com/once', contentHash: 'a'.repeat(64) };
    const text = { label: '1', changeType: 'major', defaultLocale: 'en', locales: { en: content } };
    const version = { versionId: `${agreementId}-1`, ...text };
    // The key of another route is another one.
    const drafted = keyed(version, created.headers['Idempotency-Key']);
    const path = `/agreements/${agreementId}/versions`;
    const [first, ...again] = await Promise.all([1, 2, 3].map(() => admin.post(path, drafted)));
    expect(first).toMatchObject({ status: 201, body: { agreementId, versionId: version.versionId, status: 'draft' } });
    for (const { status, body } of again) expect([status, body]).toEqual([201, first?.body]);
    expect(await admin.post(path, { ...drafted, body: { ...version, label: '2' } })).toMatchObject(reused);

    // Each was made once, and was audited once.
    const subject = encodeURIComponent(`agreement/${agreementId}`);
    expect((await admin.get(`/admin/audit-events?subject=${subject}`)).body.items).toHaveLength(1);
  });
});
