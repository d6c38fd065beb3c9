import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callerAt } from '../caller-at.ts';
import { eventually } from '../eventually.ts';
import { definition } from './definition.ts';

/** An outage of the settings' table keeps no app from starting, and lets none wait: a stage of its own, whose table fails on demand. */

test('while its table fails a phone gets no settings, then the last known ones; one that cannot be read is left out', async () => {
  let fault: Fault | undefined = 'hang';
  const lines: Record<string, unknown>[] = [];
  const isRead = ({ action, input }: Call) =>
    action === 'Query' && String((input as { TableName?: string }).TableName).includes('MobileSettings');
  const stage = await startStage({
    seed,
    rateLimit: false,
    // What hangs is given up after the product's own time.
    patience: 1,
    onLog: (_fn, _id, line) => lines.push(line.startsWith('{') ? JSON.parse(line) : {}),
    intercept: { dynamodb: (call) => (isRead(call) ? fault : undefined) },
  });
  onTestFinished(stage.close);
  const ask = async () => {
    const answer = await fetch(`${stage.url}/de/v1/mobile/settings?platform=ios&appVersion=1.0.0`);
    const { settings, reason } = (await answer.json()) as { settings: object; reason: string };
    const line = lines.filter(({ route }) => String(route).endsWith('/mobile/settings')).at(-1);
    return { status: answer.status, settings, reason, line };
  };
  const answered = (expected: object) => eventually(async () => expect(await ask()).toMatchObject(expected));

  const first = await ask();
  expect(first).toMatchObject({ status: 200, reason: 'SETTINGS_UNAVAILABLE', line: { settingsUnavailable: 1 } });
  expect(first.settings).toEqual({});

  fault = undefined;
  const known = { 'diary-reminder-hour': 9, 'relaxation-audio': false };
  await answered({
    status: 200,
    reason: 'RESOLVED',
    settings: known,
    line: { settingsUnavailable: 0, settingsStale: 0 },
  });

  fault = 'throttle';
  await answered({ status: 200, reason: 'RESOLVED', settings: known, line: { level: 'WARN', settingsStale: 1 } });

  // A planted row, as no release of ours writes it.
  fault = undefined;
  const { endpoint, region, credentials } = stage.data;
  const data = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  const planted = { application: 'sleepcare', settingId: 'planted', definition: '{"schema":1', revision: 1 };
  await data.send(new PutCommand({ TableName: stage.data.tables('MobileSettings'), Item: planted }));
  const { revision: _none, ...bare } = { ...planted, settingId: 'planted-bare' };
  await data.send(new PutCommand({ TableName: stage.data.tables('MobileSettings'), Item: bare }));
  data.destroy();
  await answered({ status: 200, reason: 'RESOLVED', line: { level: 'WARN', settingUnreadable: 1 } });
  expect((await ask()).settings).toEqual(known);

  // An administrator learns how to replace each, and can.
  const admin = await callerAt(stage, { user: 'a', roles: 'admin', application: 'medinfo' });
  const administer = (method: string, path: string, body?: object, condition = {}) =>
    admin(method, `/mobile/settings/definitions/${path}`, body, condition);
  const phones = [{ platform: null, appVersion: null, locale: null, deviceId: null }];
  for (const [settingId, etag] of [
    ['planted', '"1"'],
    ['planted-bare', null],
  ] as const) {
    const unreadable = { status: 409, body: { code: 'MOBILE_SETTING_UNREADABLE', detail: { etag } } };
    expect(await administer('GET', settingId)).toMatchObject(unreadable);
    expect(await administer('POST', `${settingId}/simulate`, { phones })).toMatchObject(unreadable);
    const condition: Record<string, string> = etag ? { 'If-Match': etag } : { 'If-None-Match': '*' };
    expect((await administer('PUT', settingId, definition(), condition)).status).toBe(200);
    expect((await administer('PUT', settingId, definition(), condition)).status).toBe(412);
    expect((await administer('GET', settingId)).body).toMatchObject({ settingId, revision: etag ? 2 : 1 });
  }
});
