import { describe, expect, test } from 'vitest';
import { client } from '../api.ts';

const path = '/users/me/fhir';

describe('200', () => {
  test('somebody who has nothing yet is a Patient, and a search that finds nothing has no entry', async () => {
    const me = await client();
    const { body, headers } = await me.get(path);
    expect(body).toEqual({
      resourceType: 'Bundle',
      type: 'searchset',
      link: [{ relation: 'self', url: '?_count=20' }],
      entry: [
        {
          fullUrl: expect.stringMatching(/^https:\/\/mobile-health\.example\/fhir\/Patient\//),
          resource: expect.objectContaining({ resourceType: 'Patient', active: true }),
          search: { mode: 'match' },
        },
      ],
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const empty = await me.get(`${path}?_type=Observation`, { headers: { Accept: 'application/fhir+json' } });
    expect(empty.body).toEqual({
      resourceType: 'Bundle',
      type: 'searchset',
      link: [{ relation: 'self', url: '?_count=20&_type=Observation' }],
    });
    expect(empty.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
  });
});

describe('400', () => {
  test.each([
    ['_count=0', '_count'],
    ['_count=101', '_count'],
    ['_type=Observation,Device', '_type'],
    ['_type=', '_type'],
    ['_type=Patient&_type=Consent', '_type'],
  ])('%s', async (query, parameter) => {
    const me = await client();
    const { status, body } = await me.get(`${path}?${query}`);
    expect([status, body.code, body.detail?.issues[0].path]).toEqual([400, 'VALIDATION_FAILED', parameter]);
  });

  test("another caller's cursor, one of another route, and a forged one", async () => {
    const me = await client();
    await me.post('/agreements/versions/marketing-1.0/agree');
    const { body } = await me.get(`${path}?_count=1`);
    const next = new URLSearchParams(body.link[1].url).get('cursor') ?? '';
    const other = await client();
    const elsewhere = (await me.get('/users/agreements?limit=1')).body.metadata.nextCursor;
    const flipped = `${next.slice(0, -2)}${next.endsWith('AA') ? 'BB' : 'AA'}`;
    const tries = [
      other.get(`${path}?cursor=${next}`),
      ...[elsewhere, flipped, '', 'x'].map((cursor) => me.get(`${path}?cursor=${cursor}`)),
    ];
    for (const { status, body: refusal } of await Promise.all(tries)) {
      expect([status, refusal.code]).toEqual([400, 'INVALID_CURSOR']);
    }
  });
});
