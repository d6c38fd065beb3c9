import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';

const history = '/users/agreements/marketing/history';
const agree = '/agreements/versions/marketing-1.0/agree';
const consent = '/users/agreements/marketing/consent';

describe('200', () => {
  test("the caller's records, newest first, in the record's final form", async () => {
    const user = await client();
    await user.post(agree, { body: { locale: 'de', appVersion: '2.0.0' } });
    await user.delete(consent);
    const { status, body } = await user.get(history);
    expect(status).toBe(200);
    expect(body.metadata).toEqual({ limit: 20, count: 2, hasMore: false, nextCursor: null, ends: [] });
    const [newest, oldest] = body.items;
    expect(newest.action).toBe('revoked');
    expect(Object.keys(oldest).sort()).toEqual(
      [
        ...['userId', 'agreementId', 'recordedAt', 'sequence', 'recordId', 'action', 'versionId', 'contentHash'],
        ...['locale', 'localeSource', 'appVersion', 'requestId', 'source', 'previousHash', 'hash'],
      ].sort(),
    );
    expect(oldest).toMatchObject({ agreementId: 'marketing', action: 'agreed', source: 'user', appVersion: '2.0.0' });
  });

  test('each hash is the SHA-256 of the record without it, and the next record carries it', async () => {
    const user = await client();
    await user.post(agree, { body: { appVersion: 'ä"\\' } });
    await user.delete(consent);
    await user.post(agree);
    const records = (await user.get(history)).body.items.reverse();
    let previousHash = null;
    for (const { hash, ...covered } of records) {
      // RFC 8785 for a flat object of strings, integers and nulls: keys sorted, JSON.stringify's own escapes.
      const canonical = JSON.stringify(
        Object.fromEntries(Object.entries(covered).sort(([a], [b]) => (a < b ? -1 : 1))),
      );
      expect(hash).toBe(createHash('sha256').update(canonical).digest('hex'));
      expect(covered.previousHash).toBe(previousHash);
      previousHash = hash;
    }
    expect(records).toHaveLength(3);
  });

  test('the request id is the one that the answer carried', async () => {
    const user = await client();
    const answer = await user.post(agree);
    const [record] = (await user.get(history)).body.items;
    expect(record.requestId).toBe(answer.headers.get('x-request-id'));
  });

  test('pages hold every record once', async () => {
    const user = await client();
    for (let round = 0; round < 3; round += 1) {
      await user.post(agree);
      await user.delete(consent);
    }
    const sequences: number[] = [];
    let cursor = '';
    do {
      const { items, metadata } = (await user.get(`${history}?limit=2${cursor}`)).body;
      sequences.push(...items.map((record: { sequence: number }) => record.sequence));
      expect(metadata.hasMore).toBe(metadata.nextCursor !== null);
      cursor = metadata.nextCursor ? `&cursor=${encodeURIComponent(metadata.nextCursor)}` : '';
    } while (cursor);
    expect(sequences).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test('an agreement that the caller never had to do with has no records', async () => {
    const user = await client();
    expect((await user.get('/users/agreements/research-data/history')).body.items).toEqual([]);
  });
});

test("400: another agreement's cursor", async () => {
  const user = await client();
  await user.post(agree);
  await user.delete(consent);
  const { nextCursor } = (await user.get(`${history}?limit=1`)).body.metadata;
  const answer = await user.get(`/users/agreements/research-data/history?cursor=${nextCursor}`);
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
});

test('401: no token', async () => {
  expect(await call('GET', history)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

test.each(['no-such-agreement', 'medinfo-newsletter', 'versions', 'a%2Fb'])('404: %s', async (agreementId) => {
  const user = await client();
  const answer = await user.get(`/users/agreements/${agreementId}/history`);
  expect(answer).toMatchObject({ status: 404, body: { code: 'AGREEMENT_NOT_FOUND', detail: null } });
});
