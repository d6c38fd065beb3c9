import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { client } from '../api.ts';
import { choosing, instrument } from '../questionnaires/instruments.ts';

/** A response and its version of a questionnaire, over HTTP. */

const path = '/questionnaires/responses/one';

test('a draft of the first version is completed by the rules of that version, after the second one was published', async () => {
  const [admin, me] = [await client({ application: 'medinfo', roles: 'admin' }), await client()];
  const { questionnaireId: _id, version: _version, ...content } = instrument('gad-7');
  const questionnaireId = `q-${randomUUID().slice(0, 8)}`;
  const publish = (version: string, body: object) =>
    admin.put(`/questionnaires/${questionnaireId}/versions/${version}`, { body });
  await publish('1', content);
  const answers = choosing(instrument('gad-7'), [1, 1, 1, 1, 1, 1, 1]);
  const body = { questionnaireId, version: '1', answers };
  await me.put(path, { body });
  const mean = content.scores.map((score) => ({ ...score, kind: 'mean' }));
  expect((await publish('2', { ...content, scores: mean })).status).toBe(200);
  const { body: done } = await me.post(`${path}/complete`);
  expect([done.version, done.scores]).toMatchObject(['1', [{ value: 7, rule: `${questionnaireId}/1/1` }]]);
  const { body: corrected } = await me.post(`${path}/amend`, { body: { responseId: 'two', answers } });
  expect([corrected.version, corrected.scores]).toMatchObject(['1', [{ value: 7 }]]);
  await me.put('/questionnaires/responses/new', { body: { ...body, version: '2' } });
  const { body: second } = await me.post('/questionnaires/responses/new/complete');
  expect(second.scores).toMatchObject([{ value: 1, rule: `${questionnaireId}/2/1` }]);
});

test('a draft keeps the answers of hidden items; completing drops them, and blank ones, too', async () => {
  const me = await client();
  const times = [
    { linkId: 'psqi-1', time: '23:00' },
    { linkId: 'psqi-2', integer: 10 },
    { linkId: 'psqi-3', time: '07:00' },
    { linkId: 'psqi-4', decimal: 7 },
  ];
  // Item 5 j is asked where its words are there, and not blank.
  const answers = [...times, { linkId: 'psqi-5j-text', text: ' ' }, ...choosing(instrument('psqi'), Array(14).fill(1))];
  const hidden = ['psqi-5j-text', 'psqi-5j'];
  await me.put(path, { body: { questionnaireId: 'psqi', version: '1.0', answers } });
  expect((await me.get(path)).body.answers).toEqual(answers);
  const { status, body } = await me.post(`${path}/complete`);
  expect([status, body.answers]).toEqual([200, answers.filter(({ linkId }) => !hidden.includes(linkId))]);
});
