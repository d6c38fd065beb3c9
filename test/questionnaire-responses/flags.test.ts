import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ownLooks } from '../access-log/own-looks.ts';
import { baseUrl, client, isDeployed } from '../api.ts';
import { eventually } from '../eventually.ts';
import { phq9 } from '../questionnaires/instruments.ts';

/** An answer that a person must look at, over HTTP. */

const watcher = () => client({ application: 'medinfo', roles: 'clinical-safety' });

async function answered(item9: number) {
  const me = await client();
  const { userId } = (await me.get('/users/me')).body;
  const path = `/questionnaires/responses/${randomUUID()}`;
  await me.put(path, { body: { questionnaireId: 'phq-9', version: '1.1', answers: phq9(item9) } });
  const answers = await Promise.all([1, 2, 3].map(() => me.post(`${path}/complete`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  return { me, userId, path };
}

async function flagsOf(userId: string, state = 'open') {
  const staff = await watcher();
  const { body } = await staff.get(`/questionnaires/flags?state=${state}&limit=100`);
  return body.items.filter((flag: { userId: string }) => flag.userId === userId);
}

describe('a flag', () => {
  test('is raised exactly once, even if several phones complete it, and by no other answer', async () => {
    const [one, none] = [await answered(1), await answered(0)];
    const [flag, ...more] = await flagsOf(one.userId);
    expect(more).toEqual([]);
    expect(flag).toMatchObject({ code: 'self-harm', questionnaireId: 'phq-9', acknowledgedAt: null });
    expect(Object.keys(flag).toSorted()).toEqual([
      ...['acknowledgedAt', 'acknowledgedBy', 'code', 'endedAt', 'endedBy', 'flagId', 'outcome', 'questionnaireId'],
      ...['raisedAt', 'receivedAt', 'recordedAt', 'responseId', 'userId'],
    ]);
    expect(await flagsOf(none.userId)).toEqual([]);
  });

  test('says when the patient wrote the answers, and when they arrived', async () => {
    const me = await client();
    const { userId } = (await me.get('/users/me')).body;
    const responseId = randomUUID();
    const recordedAt = new Date(Date.now() - 6 * 86_400_000).toISOString();
    const path = `/questionnaires/responses/${responseId}`;
    const body = { questionnaireId: 'phq-9', version: '1.1', answers: phq9(2), recordedAt };
    const { body: draft } = await me.put(path, { body });
    await me.post(`${path}/complete`);
    const [flag] = await flagsOf(userId);
    expect(flag).toMatchObject({ recordedAt, receivedAt: draft.updatedAt });
    expect(flag.raisedAt > recordedAt).toBe(true);
    await eventually(async () => {
      const { body: found } = await (await watcher()).get('/crm/urgent-tickets?limit=100');
      const ticket = found.items.find((each: { responseId: string }) => each.responseId === responseId);
      expect(ticket).toMatchObject({ recordedAt, receivedAt: draft.updatedAt, raisedAt: flag.raisedAt });
    });
  });

  test('a correction that leaves it raised raises no new one', async () => {
    const { me, userId, path } = await answered(1);
    await me.post(`${path}/amend`, { body: { responseId: 'second', answers: phq9(3) } });
    expect(await flagsOf(userId)).toHaveLength(1);
  });

  test('a correction that raises it again after an acknowledgement needs a new acknowledgement, once', async () => {
    const { me, userId, path } = await answered(1);
    const [{ flagId }] = await flagsOf(userId);
    await (await watcher()).post(`/questionnaires/flags/${flagId}/acknowledge`);
    const body = { responseId: randomUUID(), answers: phq9(3) };
    for (let twice = 0; twice < 2; twice += 1) await me.post(`${path}/amend`, { body });
    const [again, ...more] = await flagsOf(userId);
    expect(more).toEqual([]);
    expect(again).toMatchObject({ code: 'self-harm', responseId: body.responseId });
    expect(again.flagId).not.toBe(flagId);
    expect(await flagsOf(userId, 'acknowledged')).toHaveLength(1);
  });

  test('is acknowledged once: the first acknowledgement stays', async () => {
    const { userId } = await answered(2);
    const [{ flagId }] = await flagsOf(userId);
    const staff = await Promise.all([watcher(), watcher(), watcher()]);
    const answers = await Promise.all(staff.map((one) => one.post(`/questionnaires/flags/${flagId}/acknowledge`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.acknowledgedBy)).size).toBe(1);
    expect(await flagsOf(userId)).toEqual([]);
    expect(await flagsOf(userId, 'acknowledged')).toEqual([answers[0]?.body]);
    const admin = await client({ application: 'medinfo', roles: 'admin' });
    const { body } = await admin.get(`/admin/audit-events?subject=questionnaire-flag/${flagId}`);
    expect(body.items).toHaveLength(1);
  });

  test('each look at it, and its acknowledgement, is in the log of the person whom it is about, and in nobody else’s', async () => {
    const [one, none] = [await answered(1), await answered(0)];
    const [{ flagId }] = await flagsOf(one.userId);
    const staff = await watcher();
    await staff.post(`/questionnaires/flags/${flagId}/acknowledge`);
    const looks = await ownLooks(one.me);
    const look = { relation: 'safety', roles: ['clinical-safety'], consent: null, site: null };
    for (const each of looks) expect(each).toMatchObject(look);
    // Whoever lists all flags or all urgent tickets meanwhile, for another test, looks at this one, too.
    const lists = ['GET /questionnaires/flags', 'GET /crm/urgent-tickets'];
    const actions = looks.map(({ action }) => action);
    const acknowledging = 'POST /questionnaires/flags/{flagId}/acknowledge';
    expect(actions.filter((action: string) => action === acknowledging)).toHaveLength(1);
    expect(actions).toContain(lists[0]);
    expect(actions.filter((action: string) => action !== acknowledging && !lists.includes(action))).toEqual([]);
    expect(await ownLooks(none.me)).toEqual([]);
  });

  const end = async (flagId: string, outcome: string) =>
    (await watcher()).post(`/questionnaires/flags/${flagId}/outcome`, { body: { outcome } });
  const refused = (outcome: string) => ({
    status: 409,
    body: { code: 'QUESTIONNAIRE_FLAG_ENDED', detail: { outcome } },
  });

  test('ends once with an outcome, which acknowledges it; only cleared can follow another outcome', async () => {
    const { userId } = await answered(2);
    const [{ flagId }] = await flagsOf(userId);
    const [first, again] = [await end(flagId, 'not-reached'), await end(flagId, 'not-reached')];
    expect(first).toMatchObject({
      status: 200,
      body: { outcome: 'not-reached', acknowledgedBy: first.body.endedBy, acknowledgedAt: first.body.endedAt },
    });
    expect(again.body).toEqual(first.body);
    expect([await flagsOf(userId), await flagsOf(userId, 'acknowledged')]).toEqual([[], []]);
    expect(await flagsOf(userId, 'ended')).toEqual([first.body]);
    expect(await end(flagId, 'referred')).toMatchObject(refused('not-reached'));
    const cleared = await end(flagId, 'cleared');
    expect(cleared.body).toMatchObject({ outcome: 'cleared', acknowledgedBy: first.body.acknowledgedBy });
    expect(await end(flagId, 'referred')).toMatchObject(refused('cleared'));
    expect(await flagsOf(userId, 'ended')).toEqual([cleared.body]);
    const admin = await client({ application: 'medinfo', roles: 'admin' });
    const { body } = await admin.get(`/admin/audit-events?subject=questionnaire-flag/${flagId}`);
    const outcomes = body.items.map((event: { after: { outcome: string } }) => event.after.outcome);
    expect(outcomes.toSorted()).toEqual(['cleared', 'not-reached']);
  });

  test('a refused outcome says which one is recorded: the look is in the log of the person, once', async () => {
    const { me, userId } = await answered(2);
    const [{ flagId }] = await flagsOf(userId);
    await end(flagId, 'cleared');
    const ending = 'POST /questionnaires/flags/{flagId}/outcome';
    const looks = async () => (await ownLooks(me)).filter(({ action }) => action === ending);
    expect(await looks()).toHaveLength(1);
    expect(await end(flagId, 'referred')).toMatchObject(refused('cleared'));
    expect(await looks()).toMatchObject([{ relation: 'safety' }, { relation: 'safety' }]);
  });

  test('two outcomes at once: one is recorded, and the other is refused or follows it', async () => {
    const { userId } = await answered(2);
    const [{ flagId }] = await flagsOf(userId);
    const answers = await Promise.all(['referred', 'not-reached', 'referred'].map((outcome) => end(flagId, outcome)));
    const recorded = answers.filter(({ status }) => status === 200);
    for (const { body } of recorded) expect(body).toEqual(recorded[0]?.body);
    expect(recorded.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(answers.length - recorded.length);
    expect(await flagsOf(userId, 'ended')).toEqual([recorded[0]?.body]);
  });

  test('an outcome that is none, and a flag that is none', async () => {
    expect((await end('none', 'seen')).status).toBe(400);
    expect(await end('none', 'cleared')).toMatchObject({ status: 404, body: { code: 'QUESTIONNAIRE_FLAG_NOT_FOUND' } });
  });

  test('an unknown id', async () => {
    const { status, body } = await (await watcher()).post('/questionnaires/flags/none/acknowledge');
    expect([status, body.code]).toEqual([404, 'QUESTIONNAIRE_FLAG_NOT_FOUND']);
  });
});

test.skipIf(isDeployed())('other services learn of one completion and one flag, but not of the answers', async () => {
  const { userId } = await answered(3);
  const events = async (detailType: string) => {
    const answer = await fetch(new URL(`/_local/bus-events?detailType=${detailType}`, baseUrl()));
    // biome-ignore lint/suspicious/noExplicitAny: what the route answers is what the test is about.
    const { items } = (await answer.json()) as { items: any[] };
    return items.map(({ event }) => event?.detail).filter((detail) => detail?.userId === userId);
  };
  await eventually(async () => {
    expect(await events('QuestionnaireFlagRaised')).toHaveLength(1);
    expect(await events('QuestionnaireCompleted')).toHaveLength(1);
  });
  const [flag] = await flagsOf(userId);
  const { flagId, responseId, raisedAt, recordedAt, receivedAt } = flag;
  expect(await events('QuestionnaireFlagRaised')).toEqual([
    { flagId, userId, responseId, raisedAt, recordedAt, receivedAt },
  ]);
  expect(await events('QuestionnaireCompleted')).toEqual([
    { userId, responseId, questionnaireId: 'phq-9', version: '1.1', completedAt: raisedAt },
  ]);
});
