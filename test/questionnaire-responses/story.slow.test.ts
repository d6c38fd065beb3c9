import { expect, test } from 'vitest';
import { asked, batches, redeem } from '../access-codes/people.ts';
import { erasureStage } from '../erasure/stage.ts';
import { phq9 } from '../questionnaires/instruments.ts';

/** Codes and questionnaires from end to end, over HTTP on a stage of its own. Day 42 is in entitled.slow.test.ts. */

const stand = erasureStage();

async function patient() {
  const me = stand.as(await stand.tokenOf('patient', 'sleepcare'), 'sleepcare');
  await me('GET', '/users/me');
  return me;
}

test('a code is redeemed; PHQ-9 becomes due, is answered without network and scored, and item 9 above 0 raises one flag', async () => {
  const admin = await stand.admin();
  const { codes } = (await admin('POST', batches, { ...asked, count: 2 })).body as { codes: { code: string }[] };
  const path = '/questionnaires/responses/at-the-start';
  const flagsOf = async () => {
    const safety = stand.as(await stand.tokenOf('clinical-safety', 'medinfo'), 'medinfo');
    return ((await safety('GET', '/questionnaires/flags?limit=100')).body as { items: object[] }).items;
  };
  const before = (await flagsOf()).length;
  for (const [index, item9] of [0, 2].entries()) {
    const me = await patient();
    expect((await me('POST', redeem, { code: codes[index]?.code })).status).toBe(200);
    const { items } = (await me('GET', '/questionnaires/bundles')).body as { items: object[] };
    expect(items).toContainEqual(expect.objectContaining({ bundleId: 'sleep-start', status: 'due' }));
    const recordedAt = new Date().toISOString();
    const draft = {
      questionnaireId: 'phq-9',
      version: '1.1',
      bundleId: 'sleep-start',
      answers: phq9(item9),
      recordedAt,
    };
    const [first, again] = [await me('PUT', path, draft), await me('PUT', path, draft)];
    expect([first.status, again.body]).toEqual([200, first.body]);
    const [done, repeated] = [await me('POST', `${path}/complete`), await me('POST', `${path}/complete`)];
    expect(done.body).toMatchObject({ scores: [{ value: 8 + item9, bandId: expect.any(String) }] });
    expect(repeated.body).toEqual(done.body);
    expect((await flagsOf()).length - before).toBe(item9 > 0 ? 1 : 0);
  }
});
