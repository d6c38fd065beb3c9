import { describe, expect, test } from 'vitest';
import { admin, issued, redeem } from '../access-codes/people.ts';
import { client } from '../api.ts';
import { adding, instrument, phq9 } from '../questionnaires/instruments.ts';

type Patient = Awaited<ReturnType<typeof client>>;

const path = (id: string) => `/questionnaires/responses/${id}`;

describe('due times', () => {
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

  test('a bundle that is always open: due, then completed, then due again', async () => {
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

  test('an occurrence takes one response; a deleted draft frees it', async () => {
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

describe('what a code unlocks', () => {
  const ofProgramme = async (me: Patient) => {
    const { body } = await me.get('/questionnaires/bundles');
    return body.items.filter(({ bundleId }: { bundleId: string }) => bundleId.startsWith('sleep-'));
  };
  const phq9Of = { questionnaireId: 'phq-9', version: '1.1', bundleId: 'sleep-start', answers: [] };

  test('the bundle of its start is due from its redemption on; the one of day 42 is upcoming', async () => {
    const me = await client();
    expect(await ofProgramme(me)).toEqual([]);
    expect((await me.put(path('early'), { body: phq9Of })).status).toBe(400);
    const [{ code } = { code: '' }] = (await issued(await admin(), { count: 1 })).codes;
    const { entitlementId } = (await me.post(redeem, { body: { code } })).body;
    const upcoming = ['sleep-six-weeks', 'sleep-twelve-weeks'].map((bundleId) => {
      return { bundleId, entitlementId, status: 'upcoming' };
    });
    expect(await ofProgramme(me)).toMatchObject([{ entitlementId, status: 'due' }, ...upcoming]);
    expect((await me.put(path('one'), { body: phq9Of })).status).toBe(200);
    expect((await ofProgramme(me)).map(({ status }: { status: string }) => status)).toEqual([
      ...['in-progress', 'upcoming', 'upcoming'],
    ]);
  });

  test('an entitlement that was ended early has no window after that day', async () => {
    const [me, staff] = [await client(), await admin()];
    const { batchId, codes } = await issued(staff, { count: 1 });
    await me.post(redeem, { body: { code: codes[0]?.code } });
    const gad7 = adding(instrument('gad-7'), 5);
    await me.put(path('done'), { body: { ...phq9Of, questionnaireId: 'gad-7', version: '1.0', answers: gad7 } });
    expect((await me.post(`${path('done')}/complete`)).status).toBe(200);
    expect((await me.put(path('one'), { body: { ...phq9Of, answers: phq9(1).slice(0, 1) } })).status).toBe(200);
    await staff.post(`/access-codes/batches/${batchId}/revoke`, { body: { endEntitlements: true } });
    const found = await ofProgramme(me);
    expect(found).toHaveLength(1);
    expect(found[0].window.to).toBe(found[0].window.from);
    // The end counts from that moment, not from midnight: a draft does not change, and completed responses are kept.
    expect(found[0].status).toBe('missed');
    for (const { status, body } of [
      await me.put(path('one'), { body: { ...phq9Of, answers: phq9(1) } }),
      await me.put(path('new'), { body: { ...phq9Of, questionnaireId: 'isi', version: '1.0' } }),
      await me.post(`${path('one')}/complete`),
    ]) {
      expect([status, body.code]).toEqual([409, 'QUESTIONNAIRE_NOT_DUE']);
    }
    expect((await me.get(path('one'))).body).toMatchObject({ status: 'draft', answers: [{ linkId: 'phq9-1' }] });
    expect((await me.get(path('done'))).body).toMatchObject({ status: 'completed' });
    expect((await me.delete(path('one'))).status).toBe(200);
  });
});
