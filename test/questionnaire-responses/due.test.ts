import { describe, expect, test } from 'vitest';
import { client } from '../api.ts';

type Patient = Awaited<ReturnType<typeof client>>;

const path = (id: string) => `/questionnaires/responses/${id}`;

describe('what is due', () => {
  // Other tests make bundles, too.
  const due = async (me: Patient) => {
    const { body } = await me.get('/questionnaires/bundles');
    return body.items.filter(({ bundleId }: { bundleId: string }) => bundleId === 'well-being');
  };
  const who5 = (more: object = {}) => ({
    questionnaireId: 'who-5',
    version: '1.0',
    bundleId: 'well-being',
    answers: [1, 2, 3, 4, 5].map((number) => ({ linkId: `who5-${number}`, choice: '3' })),
    ...more,
  });

  test('a bundle that is always open, from due to completed, and again', async () => {
    const me = await client();
    expect(await due(me)).toMatchObject([
      {
        bundleId: 'well-being',
        window: null,
        status: 'due',
        questionnaires: [{ questionnaireId: 'who-5', version: '1.0', status: 'due', responseId: null }],
      },
    ]);
    await me.put(path('one'), { body: who5() });
    expect(await due(me)).toMatchObject([{ status: 'in-progress', questionnaires: [{ responseId: 'one' }] }]);
    const { body } = await me.post(`${path('one')}/complete`);
    expect([body.scores.map(({ value }: { value: number }) => value), body.scores[1].bandId]).toEqual([
      [15, 60],
      'good',
    ]);
    expect(await due(me)).toMatchObject([{ status: 'completed', questionnaires: [{ responseId: 'one' }] }]);
    expect((await me.put(path('two'), { body: who5() })).status).toBe(200);
    expect(await due(me)).toMatchObject([{ status: 'in-progress', questionnaires: [{ responseId: 'two' }] }]);
  });

  test('an occurrence takes one response; a deleted draft leaves it free', async () => {
    const me = await client();
    await me.put(path('one'), { body: who5() });
    const other = await me.put(path('two'), { body: who5() });
    expect([other.status, other.body.code, other.body.detail]).toEqual([
      ...[409, 'QUESTIONNAIRE_ANSWERED', { responseId: 'one' }],
    ]);
    await me.delete(path('one'));
    expect((await me.put(path('two'), { body: who5() })).status).toBe(200);
    const both = await Promise.all(['three', 'four'].map((id) => me.put(path(id), { body: who5() })));
    expect(both.map(({ status }) => status)).toEqual([409, 409]);
  });
});
