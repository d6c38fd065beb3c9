import { describe, expect, test } from 'vitest';
import { baseUrl, call, client, isDeployed } from '../api.ts';
import { eventually } from '../eventually.ts';

const path = '/users/agreements';
const all = ['terms-of-service', 'privacy-policy', 'marketing', 'research-data', 'data-sharing'];
const versionIds = all.map((agreementId) => `${agreementId}-1.0`);
const historyOf = (agreementId: string) => `${path}/${agreementId}/history`;

type Record = { recordedAt: string; requestId: string; action: string; locale: string; appVersion: string | null };
type Person = Awaited<ReturnType<typeof client>>;

async function records(user: Person): Promise<Record[]> {
  const histories = await Promise.all(all.map((agreementId) => user.get(historyOf(agreementId))));
  return histories.flatMap(({ body }) => body.items);
}

describe('200', () => {
  test('consents to all, by one request, in the order that was asked for', async () => {
    const user = await client();
    const body = { versionIds: versionIds.toReversed(), locale: 'de', appVersion: '2.0.0' };
    const answer = await user.post(path, { body });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      consents: all.toReversed().map((agreementId) => ({
        agreementId,
        versionId: `${agreementId}-1.0`,
        agreed: true,
        agreedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      })),
    });
    const made = await records(user);
    expect(made).toHaveLength(5);
    expect(new Set(made.map(({ requestId }) => requestId)).size).toBe(1);
    for (const record of made) expect(record).toMatchObject({ action: 'agreed', locale: 'de', appVersion: '2.0.0' });
    const { items } = (await user.get(path)).body;
    expect(items.map(({ agreed }: { agreed: boolean }) => agreed)).toEqual(all.map(() => true));
  });

  test('repeating it, and agreeing to one of them again, answers the same times and writes nothing', async () => {
    const user = await client();
    const first = await user.post(path, { body: { versionIds } });
    expect(await user.post(path, { body: { versionIds } })).toMatchObject({ status: 200, body: first.body });
    const one = await user.post('/agreements/versions/marketing-1.0/agree');
    expect(one.body.agreedAt).toBe(first.body.consents[2].agreedAt);
    expect(await records(user)).toHaveLength(5);
  });

  test('what was agreed to before keeps its time, and what was revoked gets a new record', async () => {
    const user = await client();
    const { agreedAt } = (await user.post('/agreements/versions/research-data-1.0/agree')).body;
    await user.post('/agreements/versions/marketing-1.0/agree');
    await user.delete('/users/agreements/marketing/consent');
    const { consents } = (await user.post(path, { body: { versionIds } })).body;
    expect(consents[3].agreedAt).toBe(agreedAt);
    expect((await user.get(historyOf('marketing'))).body.items).toHaveLength(3);
    expect((await user.get(historyOf('research-data'))).body.items).toHaveLength(1);
  });

  test('20 parallel calls answer the same and leave one record of each agreement', async () => {
    const user = await client();
    const answers = await Promise.all(Array.from({ length: 20 }, () => user.post(path, { body: { versionIds } })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await records(user)).toHaveLength(5);
  });

  test.skipIf(isDeployed())('each consent is an event, as a single one is', async () => {
    const user = await client();
    const { userId } = (await user.get('/users/me')).body;
    await user.post(path, { body: { versionIds } });
    type Detail = { userId?: string; versionId?: string; action?: string };
    type Told = { items: { event?: { detail?: Detail } }[] };
    await eventually(async () => {
      const answer = await fetch(new URL('/_local/bus-events?detailType=ConsentChanged', baseUrl()));
      const { items } = (await answer.json()) as Told;
      const told = items.flatMap(({ event }) => event?.detail ?? []).filter((detail) => detail.userId === userId);
      expect(told.map(({ versionId }) => versionId).toSorted()).toEqual(versionIds.toSorted());
      expect(told.map(({ action }) => action)).toEqual(versionIds.map(() => 'agreed'));
    });
  });
});

describe('400', () => {
  test.each<[string, unknown, string]>([
    ['no body', undefined, ''],
    ['no versions', {}, 'versionIds'],
    ['an empty list', { versionIds: [] }, 'versionIds'],
    ['21 versions', { versionIds: Array.from({ length: 21 }, (_, index) => `v-${index}`) }, 'versionIds'],
    ['a version twice', { versionIds: ['marketing-1.0', 'marketing-1.0'] }, 'versionIds'],
    ['an id of another form', { versionIds: ['marketing-1.0', 'a b'] }, 'versionIds[1]'],
    ['one id, and no list', { versionIds: 'marketing-1.0' }, 'versionIds'],
    ['a locale that is none', { versionIds, locale: 'not a locale' }, 'locale'],
  ])('%s', async (_name, body, at) => {
    const user = await client();
    expect(await user.post(path, { body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', detail: { issues: [{ in: 'body', path: at }] } },
    });
    expect(await records(user)).toEqual([]);
  });
});

test('401 without a token', async () => {
  expect(await call('POST', path, { body: { versionIds } })).toMatchObject({ status: 401 });
});

describe('404', () => {
  test('versions that the application does not have, all of which the answer names; nothing is written', async () => {
    const user = await client();
    const unknown = ['no-such-version', 'medinfo-newsletter-1.0'];
    const answer = await user.post(path, { body: { versionIds: ['marketing-1.0', ...unknown] } });
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 'AGREEMENT_VERSIONS_NOT_FOUND', detail: { versionIds: unknown } },
    });
    expect(await records(user)).toEqual([]);
  });
});

describe('409', () => {
  test('a version that is not the active one, which the answer names; nothing is written', async () => {
    const user = await client();
    const answer = await user.post(path, { body: { versionIds: ['marketing-1.0', 'privacy-policy-0.9'] } });
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'AGREEMENT_VERSION_NOT_ACTIVE',
        detail: { agreementId: 'privacy-policy', activeVersionId: 'privacy-policy-1.0' },
      },
    });
    expect(await records(user)).toEqual([]);
  });
});
