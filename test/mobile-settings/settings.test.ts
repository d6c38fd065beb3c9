import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { placeOf } from '../../functions/mobile-settings/rules/resolve.ts';
import { call, client } from '../api.ts';
import { eventually } from '../eventually.ts';
import { definition, rule } from './definition.ts';

/** Each test has settings of its own; the seeded ones stay as they are. */

const administrator = () => client({ roles: 'admin', application: 'medinfo' });
type Administrator = Awaited<ReturnType<typeof administrator>>;
const newId = () => `test-${randomUUID()}`;
const pathOf = (settingId: string) => `/mobile/settings/definitions/${settingId}`;
const first = { 'If-None-Match': '*' };

const define = async (admin: Administrator, settingId: string, body: object) => {
  const answer = await admin.put(pathOf(settingId), { body, headers: first });
  expect(answer.status).toBe(200);
  return answer;
};

/** The answer to a phone about one setting. */
const told = async (settingId: string, query: Record<string, string> = {}) => {
  const answer = await call('GET', `/mobile/settings?${new URLSearchParams(query)}`);
  expect(answer).toMatchObject({ status: 200, body: { reason: 'RESOLVED' } });
  return answer.body.settings[settingId];
};

describe('GET /mobile/settings', () => {
  const [rolledOut, worded, odd, deleted] = [newId(), newId(), newId(), newId()];
  const tenth = definition({ rules: [rule({ rolloutPercentage: 10 })] });
  // Numbers and names that a table would not take.
  const oddValue = { '': 1e-200, constructor: [-0.1, 1.5e-9, null], 'a.b': {} };
  let admin: Administrator;
  // A function keeps what it read for some seconds: they are waited for once.
  beforeAll(async () => {
    admin = await administrator();
    const rules = [
      rule({ ruleId: 'new', platform: 'android', fromVersion: '3.0', value: 'new' }),
      rule({ ruleId: 'german', locales: ['de'], value: 'german' }),
    ];
    await define(admin, deleted, definition());
    expect((await admin.delete(pathOf(deleted), { headers: { 'If-Match': '"1"' } })).status).toBe(200);
    await define(admin, odd, definition({ schema: { type: 'object' }, defaultValue: oddValue }));
    await define(admin, worded, definition({ schema: { type: 'string' }, defaultValue: 'default', rules }));
    await define(admin, rolledOut, tenth);
    await eventually(async () => expect(await told(rolledOut)).toBe(false));
  });

  test('200: of a tenth those devices whose places are below ten', async () => {
    const devices = Array.from({ length: 30 }, (_, index) => `device-${index}`);
    const values = await Promise.all(devices.map((deviceId) => told(rolledOut, { deviceId })));
    expect(values).toEqual(devices.map((deviceId) => Number(placeOf(rolledOut, { deviceId })) < 10));
  });

  test('200: what cannot be read is as if it were not stated; other names of a parameter count', async () => {
    expect(await told(worded)).toBe('default');
    expect(await told(worded, { os: 'Android', version: '3.0.1' })).toBe('new');
    expect(await told(worded, { platform: 'windows', appVersion: 'v3', locale: '???', unknown: 'x' })).toBe('default');
    expect(await told(worded, { locale: 'de_AT' })).toBe('german');
    const byHeader = await call('GET', '/mobile/settings', { headers: { 'Accept-Language': 'de-CH, en;q=0.5' } });
    expect(byHeader.body.settings[worded]).toBe('german');
    expect((await call('GET', '/mobile/settings?locale=de&locale=en&deviceId=')).status).toBe(200);
  });

  test('200: a value as it was stored, and nothing of a setting that was deleted', async () => {
    expect((await admin.get(pathOf(odd))).body.defaultValue).toEqual(oddValue);
    expect(await told(odd)).toEqual(oddValue);
    expect(await told(deleted)).toBeUndefined();
  });

  test('200: a kill switch that is pulled reaches everybody', async () => {
    const before = (await call('GET', '/mobile/settings')).headers.get('etag') ?? '';
    const asked = () => call('GET', '/mobile/settings', { headers: { 'If-None-Match': before } });
    const body = { ...tenth, killSwitch: { isPulled: true, value: true } };
    expect((await admin.put(pathOf(rolledOut), { body, headers: { 'If-Match': '"1"' } })).status).toBe(200);
    await eventually(async () => expect(await told(rolledOut)).toBe(true));
    // A request with the earlier ETag gets the new value.
    const after = await asked();
    expect([after.status, after.body?.settings[rolledOut]]).toEqual([200, true]);
    expect(after.headers.get('etag')).not.toBe(before);
  });

  test('304: the phone has these values already', async () => {
    await eventually(async () => {
      const etag = (await call('GET', '/mobile/settings')).headers.get('etag') ?? '';
      expect(etag).toMatch(/^W\/"/);
      const again = await call('GET', '/mobile/settings', { headers: { 'If-None-Match': etag } });
      expect(again).toMatchObject({ status: 304, body: null });
    });
  });
});

describe('a definition', () => {
  test('200: is defined, read, listed, replaced and deleted, and each change is in the audit', async () => {
    const [admin, settingId] = [await administrator(), newId()];
    const one = await define(admin, settingId, definition());
    expect(one.body).toMatchObject({ ...definition(), settingId, revision: 1 });
    expect(one.headers.get('etag')).toBe('"1"');
    expect((await admin.get(pathOf(settingId))).body).toEqual(one.body);
    const listed = await admin.get('/mobile/settings/definitions?limit=100');
    expect(listed.body.items).toContainEqual(one.body);

    const changed = definition({ defaultValue: true });
    const put = () => admin.put(pathOf(settingId), { body: changed, headers: { 'If-Match': '"1"' } });
    const answers = await Promise.all([put(), put(), put()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);

    const remove = () => admin.delete(pathOf(settingId), { headers: { 'If-Match': '"2"' } });
    expect(await remove()).toMatchObject({ status: 200, body: { settingId, deleted: true } });
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'MOBILE_SETTING_NOT_FOUND' } });
    expect((await admin.get(pathOf(settingId))).status).toBe(404);
    // An ETag of before the deletion fits nothing that comes after it, and the name keeps its type.
    expect((await put()).status).toBe(412);
    const other = { body: definition({ schema: { type: 'string' }, defaultValue: 'x' }), headers: first };
    expect((await admin.put(pathOf(settingId), other)).body.detail.issues).toMatchObject([{ path: 'schema.type' }]);
    expect((await define(admin, settingId, definition())).headers.get('etag')).toBe('"4"');

    const events = await admin.get(`/admin/audit-events?subject=mobile-setting/${settingId}`);
    expect(events.body.items.map(({ action }: { action: string }) => action)).toEqual([
      'mobile-setting.defined',
      'mobile-setting.deleted',
      'mobile-setting.replaced',
      'mobile-setting.defined',
    ]);
    expect(events.body.items[2]).toMatchObject({ before: { defaultValue: 'false' }, after: { defaultValue: 'true' } });
  });

  test.each<[string, object, string[]]>([
    ['a value of another type', { defaultValue: 1 }, ['defaultValue']],
    ['no value', { defaultValue: undefined }, ['defaultValue']],
    ['a rule without its value', { rules: [{ ...rule(), value: undefined }] }, ['rules[0].value']],
    ['a field misspelt', { killSwitch: undefined, killswitch: null }, ['killSwitch']],
    ['a schema that is none', { schema: { type: 'boolean', pattern: '.' } }, ['schema.pattern']],
    ['more than all devices', { rules: [rule({ rolloutPercentage: 101 })] }, ['rules[0].rolloutPercentage']],
    ['a time without its zone', { rules: [rule({ startsAt: '2026-01-01T00:00:00' })] }, ['rules[0].startsAt']],
  ])('400: %s', async (_case, changes, paths) => {
    const admin = await administrator();
    const body = { ...definition(), ...changes };
    const answer = await admin.put(pathOf(newId()), { body, headers: first });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.detail.issues.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  test('404, 412 and 428', async () => {
    const [admin, settingId] = [await administrator(), newId()];
    const put = (headers: Record<string, string>, id = settingId) =>
      admin.put(pathOf(id), { body: definition(), headers });
    expect((await put({})).status).toBe(428);
    expect((await put({ 'If-Match': '*' })).status).toBe(428);
    expect((await put({ 'If-Match': '"1"' })).status).toBe(412);
    await define(admin, settingId, definition());
    expect((await put(first)).status).toBe(412);
    expect((await admin.delete(pathOf(settingId))).status).toBe(428);
    expect((await admin.delete(pathOf(settingId), { headers: { 'If-Match': '"7"' } })).status).toBe(412);
    for (const id of ['__proto__', 'Upper', 'a%23b', 'x'.repeat(65)]) expect((await put(first, id)).status).toBe(404);
    const simulated = await admin.post(`${pathOf(newId())}/simulate`, { body: { phones: [phone] } });
    expect(simulated).toMatchObject({ status: 404, body: { code: 'MOBILE_SETTING_NOT_FOUND' } });
  });
});

const phone = { platform: 'ios', appVersion: '2.0', locale: 'de', deviceId: 'phone-1' };

describe('simulate', () => {
  test('200: which rule won and why, of the stored definition or of a draft, which is not stored', async () => {
    const [admin, settingId] = [await administrator(), newId()];
    await define(admin, settingId, definition());
    const simulate = async (body: object) => (await admin.post(`${pathOf(settingId)}/simulate`, { body })).body;
    expect((await simulate({ phones: [phone] })).results).toMatchObject([
      { value: false, because: 'DEFAULT', steps: [] },
    ]);
    const rules = [
      rule({ ruleId: 'later', startsAt: '2030-01-01T00:00:00.000Z' }),
      rule({ ruleId: 'android', platform: 'android' }),
    ];
    const draft = definition({ rules });
    const phones = [phone, { ...phone, platform: 'android', deviceId: null }];
    expect((await simulate({ definition: draft, phones, at: '2029-12-31T23:59:59.999Z' })).results).toEqual([
      {
        ...{ value: false, because: 'DEFAULT', ruleId: null, rolloutPlace: placeOf(settingId, phone) },
        steps: [
          { ruleId: 'later', outcome: 'NOT_STARTED' },
          { ruleId: 'android', outcome: 'PLATFORM' },
        ],
      },
      {
        ...{ value: true, because: 'RULE', ruleId: 'android', rolloutPlace: null },
        steps: [
          { ruleId: 'later', outcome: 'NOT_STARTED' },
          { ruleId: 'android', outcome: 'MATCHED' },
        ],
      },
    ]);
    const at = '2030-01-01T01:00:00+01:00';
    expect((await simulate({ definition: draft, phones: [phone], at })).results).toMatchObject([{ ruleId: 'later' }]);
    expect((await admin.get(pathOf(settingId))).headers.get('etag')).toBe('"1"');
    const wrong = { definition: { ...draft, defaultValue: 1 }, phones: [phone] };
    expect((await simulate(wrong)).detail.issues).toMatchObject([{ path: 'definition.defaultValue' }]);
  });
});
