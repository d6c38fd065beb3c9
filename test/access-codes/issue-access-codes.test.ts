import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readCode } from '../../functions/access-codes/rules/code.ts';
import { admin, asked, batches, type Issued } from './people.ts';

const staff = await admin();

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('201', () => {
  test('the batch and its codes, of which none is seen again', async () => {
    const { siteId } = (await staff.post('/crm/sites', { body: { name: 'North', timezone: 'Europe/Berlin' } })).body;
    const { status, body } = await staff.post(batches, { body: { ...asked, count: 3, siteId } });
    expect(status).toBe(201);
    const { codes, ...batch } = body as Issued;
    expect(batch).toEqual({
      ...asked,
      batchId: expect.any(String),
      count: 3,
      redeemBy: '2098-12-31T23:59:59.000Z',
      siteId,
      studyId: null,
      createdAt: time,
    });
    expect(codes).toHaveLength(3);
    expect(new Set(codes.map(({ code }) => code)).size).toBe(3);
    for (const { code, accessCodeId } of codes) {
      expect(readCode(code)).toBe(code);
      expect(accessCodeId).toMatch(/^[0-9a-f]{8}\.[\w-]{43}$/);
    }
    const read = await staff.get(`${batches}/${batch.batchId}`);
    expect(read).toMatchObject({ status: 200, body: { ...batch, status: 'issued', revokedAt: null } });
    expect(read.body.counts).toEqual({ issued: 3, redeemed: 0, expired: 0, revoked: 0 });
    expect(JSON.stringify(read.body)).not.toContain(codes[0]?.code);
  });

  test('the same key answers the same codes, also to ten requests at once', async () => {
    const sent = { body: { ...asked, count: 100 }, headers: { 'Idempotency-Key': randomUUID() } };
    const answers = await Promise.all(Array.from({ length: 10 }, () => staff.post(batches, sent)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const [first] = answers;
    expect(new Set(first?.body.codes.map(({ code }: { code: string }) => code)).size).toBe(100);
    const { counts } = (await staff.get(`${batches}/${first?.body.batchId}`)).body;
    expect(counts.issued).toBe(100);
    // Issued once, and audited once; what is audited is no code.
    const subject = encodeURIComponent(`access-code-batch/${first?.body.batchId}`);
    const { items } = (await staff.get(`/admin/audit-events?subject=${subject}`)).body;
    expect(items).toMatchObject([{ action: 'access-code-batch.issued', before: null, after: { count: 100 } }]);
    expect(JSON.stringify(items)).not.toContain(first?.body.codes[0].code);
  });
});

test('409: another batch under the key', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  await staff.post(batches, { body: asked, headers });
  const { status, body } = await staff.post(batches, { body: { ...asked, count: 3 }, headers });
  expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
});

describe('400', () => {
  test.each([
    ['no code', { count: 0 }, 'count'],
    ['too many codes', { count: 1001 }, 'count'],
    ['half a code', { count: 1.5 }, 'count'],
    ['a kind that is none', { kind: 'gift' }, 'kind'],
    ['a programme that is none', { programmeId: 'insomnia' }, 'programmeId'],
    ['no day', { grantsDays: 0 }, 'grantsDays'],
    ['eleven years', { grantsDays: 4000 }, 'grantsDays'],
    ['a date', { redeemBy: '2098-12-31' }, 'redeemBy'],
    ['a time that has passed', { redeemBy: '2020-01-01T00:00:00Z' }, 'redeemBy'],
    ['a site that is no id', { siteId: 'a b' }, 'siteId'],
    ['a study that is no id', { studyId: '' }, 'studyId'],
  ])('%s', async (_case, wrong, path) => {
    const { status, body } = await staff.post(batches, { body: { ...asked, ...wrong } });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.detail.issues).toMatchObject([{ in: 'body', path }]);
  });
});
