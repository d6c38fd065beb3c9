import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { client } from '../api.ts';
import { adding, instrument, phq9 } from '../questionnaires/instruments.ts';

/** `GET /questionnaires/scores`: a series for a plot. */

type Patient = Awaited<ReturnType<typeof client>>;

const responses = '/questionnaires/responses';
const who5 = (choice: string) => instrument('who-5').items.map(({ linkId }) => ({ linkId, choice }));

async function completed(me: Patient, questionnaireId: string, answers: object[]) {
  const id = randomUUID();
  const version = questionnaireId === 'phq-9' ? '1.1' : '1.0';
  await me.put(`${responses}/${id}`, { body: { questionnaireId, version, answers } });
  const { status, body } = await me.post(`${responses}/${id}/complete`);
  expect(status).toBe(200);
  return body as { responseId: string; completedAt: string };
}

async function amended(me: Patient, amends: string, answers: object[]): Promise<string> {
  const responseId = randomUUID();
  expect((await me.post(`${responses}/${amends}/amend`, { body: { responseId, answers } })).status).toBe(200);
  return responseId;
}

const series = async (me: Patient, query = '') => (await me.get(`/questionnaires/scores?limit=100${query}`)).body.items;

test('each score, newest first; a correction, and one of it, at the time of the first response', async () => {
  const me = await client();
  const one = await completed(me, 'phq-9', phq9(0, 0));
  const two = await completed(me, 'phq-9', phq9(0, 1));
  const three = await completed(me, 'gad-7', adding(instrument('gad-7'), 5));
  const second = await amended(me, one.responseId, phq9(0, 2));
  const last = await amended(me, second, phq9(0, 3));
  const point = (responseId: string, value: number, bandId: string, completedAt: string) => {
    return { responseId, questionnaireId: 'phq-9', scoreId: 'total', value, bandId, completedAt };
  };
  const expected = [point(two.responseId, 8, 'mild', two.completedAt), point(last, 24, 'severe', one.completedAt)];
  expect(await series(me, '&questionnaireId=phq-9')).toEqual(expected);
  expect(await series(me)).toEqual([
    { ...point(three.responseId, 5, 'mild', three.completedAt), questionnaireId: 'gad-7' },
    ...expected,
  ]);
  // The correction is later than the range, and shown in it.
  expect(await series(me, `&questionnaireId=phq-9&to=${two.completedAt}`)).toEqual(expected.slice(1));
  expect(await series(me, `&questionnaireId=phq-9&from=${two.completedAt}`)).toEqual(expected.slice(0, 1));
  expect(await series(me, '&questionnaireId=isi')).toEqual([]);
  const exported = (await me.get(`${responses}/${one.responseId}`)).body;
  expect([exported.scores[0].value, exported.amendedBy]).toEqual([0, second]);
});

test('page by page, each value once, also where a page ends between two scores of one response', async () => {
  const me = await client();
  for (const choice of ['1', '2', '3']) await completed(me, 'who-5', who5(choice));
  const all = await series(me);
  expect(all.map(({ scoreId, value }: { scoreId: string; value: number }) => [scoreId, value])).toEqual([
    ...[3, 2, 1].flatMap((each) => [
      [instrument('who-5').scores[0]?.scoreId, each * 5],
      [instrument('who-5').scores[1]?.scoreId, each * 20],
    ]),
  ]);
  for (const limit of [1, 2, 3, 5, 6]) {
    const found: object[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await me.get(`/questionnaires/scores?limit=${limit}${cursor && `&cursor=${cursor}`}`);
      expect(body.items.length).toBeLessThanOrEqual(limit);
      found.push(...body.items);
      cursor = body.metadata.nextCursor;
    }
    expect(found).toEqual(all);
  }
});
