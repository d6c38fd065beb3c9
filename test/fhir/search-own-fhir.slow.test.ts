import { expect, test } from 'vitest';
import { client } from '../api.ts';
import { daysAgo } from '../sleep/diary.ts';
import { allPages, patientWithData, who5 } from './people.ts';

const path = '/users/me/fhir';
const types = (resources: readonly { resourceType: string }[]) => resources.map(({ resourceType }) => resourceType);

test('all that a patient has, and the same page by page', async () => {
  const { me, receipt } = await patientWithData();
  const [all = []] = await allPages(me.get, '?_count=100');
  expect(types(all)).toEqual([
    'Patient',
    ...['Consent', 'Consent'],
    ...['Provenance', 'Provenance', 'Provenance'],
    'QuestionnaireResponse',
    ...['Observation', 'Observation', 'Observation', 'Observation'],
  ]);
  const [revoked, given] = all.filter(({ resourceType }) => resourceType === 'Consent');
  expect([revoked?.status, given?.status]).toEqual(['inactive', 'active']);
  const [ending, giving] = all.filter(({ resourceType }) => resourceType === 'Provenance');
  expect([ending?.target, giving?.target]).toEqual([
    [{ reference: `Consent/${revoked?.id}` }],
    [{ reference: `Consent/${revoked?.id}` }],
  ]);
  const [signature] = (giving?.signature ?? []) as { data: string }[];
  expect(Buffer.from(signature?.data ?? '', 'base64').toString()).toBe(receipt);
  expect(ending?.signature).toBeUndefined();
  // What was corrected is not beside its correction, and a draft is not an answer yet.
  expect(all.find(({ resourceType }) => resourceType === 'QuestionnaireResponse')).toMatchObject({
    status: 'amended',
    identifier: { value: 'second' },
  });
  const nights = all.filter(({ resourceType }) => resourceType === 'Observation');
  expect(nights.slice(0, 2)).toMatchObject([
    {
      identifier: [{ value: daysAgo(1) }],
      valueQuantity: { value: 405 },
      component: expect.arrayContaining([expect.objectContaining({ valueString: 'Slept <well>.' })]),
    },
    { identifier: [{ value: daysAgo(2) }], valueQuantity: { value: 0 }, effectiveDateTime: daysAgo(2) },
  ]);
  // No key, hash of the chain or revision is in it.
  expect(JSON.stringify(all)).not.toMatch(
    /userAgreement|previousHash|fingerprint|revision|episodeKey|"part"|requestId/,
  );
  const pages = await allPages(me.get, '?_count=3');
  expect(pages.flat()).toEqual(all);
  expect(pages.every((page) => page.length <= 3 && page.length > 0)).toBe(true);
  const some = await allPages(me.get, '?_count=2&_type=Observation,Consent');
  expect(types(some.flat())).toEqual(['Consent', 'Consent', ...Array(4).fill('Observation')]);
});

test('a response that is corrected while its pages are read is there once, as is its correction in the next search', async () => {
  const me = await client();
  const responses = '/questionnaires/responses';
  for (const id of ['one', 'two', 'three']) {
    await me.put(`${responses}/${id}`, { body: who5 });
    expect((await me.post(`${responses}/${id}/complete`)).status).toBe(200);
  }
  const amend = (id: string, responseId: string) =>
    me.post(`${responses}/${id}/amend`, { body: { responseId, answers: who5.answers } });
  // Corrected before the search began: it is left out.
  expect((await amend('two', 'four')).status).toBe(200);
  const query = '?_type=QuestionnaireResponse&_count=1';
  const first = await me.get(`${path}${query}`);
  const idsOf = (resources: readonly Record<string, unknown>[]) =>
    resources.map(({ identifier }) => (identifier as { value: string }).value);
  expect(first.body.entry.map(({ resource }: { resource: { identifier: object } }) => resource.identifier)).toEqual([
    expect.objectContaining({ value: 'four' }),
  ]);
  // Corrected behind the page that was read, once and once more.
  expect((await amend('one', 'five')).status).toBe(200);
  expect((await amend('five', 'six')).status).toBe(200);
  expect(idsOf((await allPages(me.get, first.body.link[1].url)).flat())).toEqual(['three', 'one']);
  expect(idsOf((await allPages(me.get, query)).flat())).toEqual(['six', 'four', 'three']);
});
