import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readAgreement } from '../../functions/agreements/catalogue-store.ts';
import { publish } from '../catalogue/publish.ts';
import { policy } from '../mobile/policy.ts';
import { ahead, day, openStage, secondMs } from './stage.ts';

/** What the rules make of a time that was set. */

let stage: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
afterEach(async () => {
  stage.faults.clock = false;
  expect((await stage.timeMachine('DELETE')).status).toBe(200);
  await sleep(secondMs);
});

describe('every business rule has the set time within a second', () => {
  test('a scheduled version becomes active, in the list and for a consent', async () => {
    const { dynamo, tables } = stage.place;
    const found = await readAgreement(dynamo, tables.Agreements, 'sleepcare', 'research-data');
    const [first] = found?.versions ?? [];
    if (!found || !first) throw new Error('the seed has no research-data');
    const next = { ...first, versionId: 'research-data-2.0', label: '2.0', changeType: 'major' as const };
    const scheduled = { ...next, publishedAt: new Date().toISOString(), effectiveFrom: ahead(day) };
    await publish(stage.place, [{ agreement: found.agreement, versions: [scheduled] }]);

    const user = await stage.signedIn('patient', 'sleepcare');
    const active = async () => {
      const { items } = (await user('GET', '/users/agreements')).body;
      return items.find((item: { agreementId: string }) => item.agreementId === 'research-data').versionId;
    };
    expect(await active()).toBe('research-data-1.0');
    expect((await user('POST', '/agreements/versions/research-data-2.0/agree')).status).toBe(409);

    await stage.timeMachine('PUT', { advance: 'P1DT1H' });
    await sleep(secondMs);
    expect(await active()).toBe('research-data-2.0');
    const { status, body } = await user('POST', '/agreements/versions/research-data-2.0/agree');
    expect(status).toBe(200);
    expect(Math.abs(Date.parse(body.agreedAt) - Date.now() - day - day / 24)).toBeLessThan(10_000);

    await stage.timeMachine('DELETE');
    await sleep(secondMs);
    expect(await active()).toBe('research-data-1.0');
  });

  test('consent records stay strictly increasing when time is set back', async () => {
    const user = await stage.signedIn('patient', 'sleepcare');
    await stage.timeMachine('PUT', { advance: 'P1D' });
    await sleep(secondMs);
    const agreed = await user('POST', '/agreements/versions/marketing-1.0/agree');
    await stage.timeMachine('PUT', { now: ahead(-day) });
    await sleep(secondMs);
    const revoked = await user('DELETE', '/users/agreements/marketing/consent');
    const again = await user('POST', '/agreements/versions/marketing-1.0/agree');
    expect([agreed.status, revoked.status, again.status]).toEqual([200, 200, 200]);

    const { items } = (await user('GET', '/users/agreements/marketing/history')).body;
    const times = items.map(({ recordedAt }: { recordedAt: string }) => recordedAt).reverse();
    expect(times).toEqual([agreed.body.agreedAt, revoked.body.revokedAt, again.body.agreedAt]);
    expect(Date.parse(times[1])).toBe(Date.parse(times[0]) + 1);
    expect(Date.parse(times[2])).toBe(Date.parse(times[1]) + 1);
    expect(items.map(({ action }: { action: string }) => action)).toEqual(['agreed', 'revoked', 'agreed']);
  });

  test('a maintenance window of tomorrow blocks the apps then', async () => {
    const path = '/mobile/app-version/policies/sleepcare/android';
    const admin = await stage.signedIn('admin', 'medinfo');
    const etag = (await admin('GET', path)).headers.get('etag');
    const window = policy({ maintenance: { from: ahead(day), until: ahead(2 * day) } });
    const condition: Record<string, string> = etag === null ? { 'If-None-Match': '*' } : { 'If-Match': etag };
    expect((await admin('PUT', path, window, condition)).status).toBe(200);
    const user = await stage.signedIn('patient', 'sleepcare');
    const check = () => user('GET', '/mobile/app-version/check?platform=android&appVersion=9.0.0');
    expect((await check()).body.outcome).toBe('normal');

    await stage.timeMachine('PUT', { advance: 'P1DT1H' });
    await sleep(secondMs);
    const { body } = await check();
    expect(body).toMatchObject({ outcome: 'blocked', reason: 'MAINTENANCE' });
    expect(Math.abs(Date.parse(body.checkedAt) - Date.now() - day - day / 24)).toBeLessThan(10_000);
  });

  test('authentication keeps real time: a token outlives a clock that is ahead', async () => {
    const user = await stage.signedIn('patient', 'sleepcare');
    await stage.timeMachine('PUT', { advance: 'P1D' });
    await sleep(secondMs);
    expect((await user('GET', '/users/agreements')).status).toBe(200);
  });

  test('a user who is met then was made then', async () => {
    await stage.timeMachine('PUT', { now: '2031-01-01T00:00:00.000Z' });
    await sleep(secondMs);
    expect((await (await stage.signedIn('patient', 'sleepcare'))('GET', '/users/me')).body.createdAt).toMatch(
      /^2031-01-01T00:00/,
    );
  });
});

test('while the clock cannot be read, everything else goes on with the last that is known', async () => {
  const user = await stage.signedIn('patient', 'sleepcare');
  await stage.timeMachine('PUT', { advance: 'P1D' });
  await sleep(secondMs);
  expect((await user('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
  stage.faults.clock = true;
  await sleep(secondMs);
  const { status, body } = await user('POST', '/agreements/versions/terms-of-service-1.0/agree');
  expect(status).toBe(200);
  expect(Math.abs(Date.parse(body.agreedAt) - Date.now() - day)).toBeLessThan(10_000);
  expect((await stage.timeMachine('GET')).status).toBe(503);
});
