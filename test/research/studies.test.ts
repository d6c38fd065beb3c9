import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { client } from '../api.ts';
import { accepted, move, newStudy, openStudy, researcher, studies, studyPath } from './people.ts';
import { definition } from './study.ts';

const staff = await researcher();

const tagged = (tag: string | null, body: object) => ({ headers: { ...(tag !== null && { 'If-Match': tag }) }, body });

describe('studies', () => {
  test('made, read, retitled and moved through their states, each with its audit event', async () => {
    const made = await staff.post(studies, { body: { ...definition, title: ' Nights ' } });
    expect(made).toMatchObject({
      status: 201,
      body: { ...definition, title: 'Nights', state: 'draft', hasCode: false },
    });
    const { studyId } = made.body;
    const path = studyPath(studyId);
    const read = await staff.get(path);
    expect(read.body).toEqual(made.body);
    const tag = read.headers.get('etag');
    const changed = await staff.put(path, tagged(tag, { ...definition, shiftDates: false }));
    expect(changed).toMatchObject({ status: 200, body: { title: definition.title, shiftDates: false } });
    expect(await staff.put(path, tagged(tag, definition))).toMatchObject({ status: 412 });
    expect(await staff.put(path, tagged(null, definition))).toMatchObject({ status: 428 });
    expect(await staff.post(`${path}/transition`, tagged(null, { to: 'recruiting' }))).toMatchObject({ status: 428 });
    expect(await move(staff, studyId, 'closed')).toMatchObject({
      status: 409,
      body: { code: 'STUDY_TRANSITION_REFUSED' },
    });
    expect(await move(staff, studyId, 'recruiting')).toMatchObject({ status: 200, body: { state: 'recruiting' } });
    const frozen = (await staff.get(path)).headers.get('etag');
    expect(await staff.put(path, tagged(frozen, definition))).toMatchObject({
      status: 409,
      body: { code: 'STUDY_FROZEN' },
    });
    const retitled = { ...definition, shiftDates: false, title: 'Days' };
    expect(await staff.put(path, tagged(frozen, retitled))).toMatchObject({ status: 200, body: { title: 'Days' } });
    for (const to of ['closed', 'archived']) expect(await move(staff, studyId, to)).toMatchObject({ status: 200 });
    const admin = await client({ application: 'medinfo', roles: 'admin' });
    const { items } = await accepted(admin.get(`/admin/audit-events?subject=study/${studyId}`));
    const told = items.map(({ action, after }: { action: string; after: object }) => [action, after]);
    expect(told).toEqual([
      ['study.moved', { state: 'archived' }],
      ['study.moved', { state: 'closed' }],
      ['study.replaced', { title: 'Days' }],
      ['study.moved', { state: 'recruiting' }],
      ['study.replaced', { title: definition.title, shiftDates: false }],
      ['study.created', { ...definition, title: 'Nights', state: 'draft' }],
    ]);
  });

  test('the same key makes one study; another body under it is 409', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const one = await staff.post(studies, { headers, body: definition });
    expect(await staff.post(studies, { headers, body: definition })).toMatchObject({ status: 201, body: one.body });
    const other = await staff.post(studies, { headers, body: { ...definition, title: 'Other' } });
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  test.each([
    ['an agreement that there is not', 'nothing'],
    ['a required one', 'terms-of-service'],
  ])('409: %s', async (_case, agreementId) => {
    const refused = await staff.post(studies, { body: { ...definition, agreementId } });
    expect(refused).toMatchObject({ status: 409, body: { code: 'STUDY_AGREEMENT_UNFIT' } });
  });

  test.each([
    ['a class of data twice', { dataClasses: ['diary', 'diary'] }],
    ['no class of data', { dataClasses: [] }],
    ['a class that there is not', { dataClasses: ['tickets'] }],
    ['a period that ends before it begins', { period: { from: '2026-02-01', until: '2026-01-31' } }],
    ['a group that a spreadsheet takes for a formula', { groups: ['=1+1'] }],
    ['a group twice', { groups: ['early', 'early'] }],
    [
      'two rules for one field',
      {
        quasiIdentifiers: [
          { field: 'timezone', smallCells: 'refuse' },
          { field: 'timezone', smallCells: 'suppress' },
        ],
      },
    ],
    ['a title of two lines', { title: 'One\nTwo' }],
  ])('400: %s', async (_case, part) => {
    const refused = await staff.post(studies, { body: { ...definition, ...part } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  test('404 for a study that does not exist', async () => {
    const path = studyPath(randomUUID());
    for (const answer of [
      staff.get(path),
      staff.put(path, tagged('"1"', definition)),
      staff.post(`${path}/transition`, tagged('"1"', { to: 'closed' })),
      staff.post(`${path}/code`),
      staff.post(`${path}/invitations`, { body: { count: 1 } }),
      staff.get(`${path}/participants`),
    ])
      expect(await answer).toMatchObject({ status: 404, body: { code: 'STUDY_NOT_FOUND' } });
  });

  test('listed, without codes', async () => {
    const { studyId, code } = await openStudy(staff);
    const found: { studyId: string }[] = [];
    let next = '';
    do {
      const { items, metadata } = await accepted(staff.get(`${studies}?limit=100${next}`));
      found.push(...items);
      next = metadata.nextCursor === null ? '' : `&cursor=${encodeURIComponent(metadata.nextCursor)}`;
    } while (next !== '');
    expect(found).toContainEqual(expect.objectContaining({ studyId, hasCode: true, state: 'recruiting' }));
    expect(JSON.stringify(found)).not.toContain(code.slice(0, 11));
  });
});

describe('codes and invitations', () => {
  test('invitations are for a group of the study; their codes are in this answer only', async () => {
    const { studyId } = await newStudy(staff);
    const path = `${studyPath(studyId)}/invitations`;
    expect(await staff.post(path, { body: { count: 1, group: 'none' } })).toMatchObject({
      status: 404,
      body: { code: 'STUDY_GROUP_NOT_FOUND' },
    });
    expect(await staff.post(path, { body: { count: 51 } })).toMatchObject({ status: 400 });
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { count: 50, group: 'late' };
    const issued = await staff.post(path, { headers, body });
    expect(issued).toMatchObject({ status: 201, body: { studyId, group: 'late' } });
    expect(new Set(issued.body.invitations.map(({ code }: { code: string }) => code)).size).toBe(50);
    expect(await staff.post(path, { headers, body })).toMatchObject({ status: 201, body: issued.body });
  });

  test('a closed study cannot make any', async () => {
    const { studyId } = await openStudy(staff);
    await accepted(move(staff, studyId, 'closed'));
    for (const answer of [
      staff.post(`${studyPath(studyId)}/code`),
      staff.post(`${studyPath(studyId)}/invitations`, { body: { count: 1 } }),
    ])
      expect(await answer).toMatchObject({ status: 409, body: { code: 'STUDY_NOT_RECRUITING' } });
  });
});
