import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { readAgreement } from '../../functions/agreements/stores/catalogue-reader.ts';
import { publish } from '../agreements/publish.ts';
import { policy } from '../app-version/policy.ts';
import type { Answer } from '../caller-at.ts';
import { eventually } from '../eventually.ts';
import { ahead, day, openStage, realTimesOf } from './stage.ts';

/**
 * What the rules make of a time that was set. How soon a function knows it, test/runtime/clock.test.ts says; here each is
 * asked until it does, and where an answer cannot be taken back, by somebody new each time.
 */

const stage = await openStage();
afterAll(() => stage.close());
afterEach(async () => {
  stage.faults.clock = false;
  expect((await stage.timeMachine('DELETE')).status).toBe(200);
});

const agree = (versionId: string) => `/agreements/versions/${versionId}/agree`;
const consent = '/users/agreements/marketing/consent';
const patient = () => stage.signedIn('patient', 'sleepcare');

/** Sets the clock. @returns how far it then is from real time */
async function set(to: { now?: string; advance?: string }): Promise<number> {
  const { status, body } = await stage.timeMachine('PUT', to);
  expect(status).toBe(200);
  return body.offsetMs;
}

/** Somebody new agrees: the answer, and the call's real times. */
async function agreedBySomeone(versionId: string) {
  const user = await patient();
  return { user, ...(await realTimesOf(() => user('POST', agree(versionId)))) };
}

describe('every business rule has the set time', () => {
  test('a scheduled version becomes active, in the list and for a consent', async () => {
    const { tables } = stage.place;
    const found = await readAgreement(tables.Agreements, 'sleepcare', 'research-data');
    const [first] = found?.versions ?? [];
    if (!found || !first) throw new Error('the seed has no research-data');
    const next = { ...first, versionId: 'research-data-2.0', label: '2.0', changeType: 'major' as const };
    const scheduled = { ...next, publishedAt: new Date().toISOString(), effectiveFrom: ahead(day) };
    await publish(stage.place, [{ agreement: found.agreement, versions: [scheduled] }]);

    const user = await patient();
    const listed = (versionId: string) =>
      eventually(async () => {
        const { items } = (await user('GET', '/users/agreements')).body;
        const item = items.find(({ agreementId }: { agreementId: string }) => agreementId === 'research-data');
        expect(item.versionId).toBe(versionId);
      });
    const answered = (status: number) =>
      eventually(async () => {
        const agreed = await agreedBySomeone('research-data-2.0');
        expect(agreed.answer.status).toBe(status);
        return agreed;
      });
    await listed('research-data-1.0');
    await answered(409);

    const offsetMs = await set({ advance: 'P1DT1H' });
    await listed('research-data-2.0');
    const { answer, shows } = await answered(200);
    shows(answer.body.agreedAt, offsetMs);

    await stage.timeMachine('DELETE');
    await listed('research-data-1.0');
    await answered(409);
  });

  test('consent records stay strictly increasing when time is set back', async () => {
    await set({ advance: 'P1D' });
    const { user, answer: agreed } = await eventually(async () => {
      const someone = await agreedBySomeone('marketing-1.0');
      expect(Date.parse(someone.answer.body.agreedAt)).toBeGreaterThan(Date.now());
      return someone;
    });
    await set({ now: ahead(-day) });
    await eventually(async () => {
      const another = await agreedBySomeone('marketing-1.0');
      const { body } = await another.user('DELETE', consent);
      for (const at of [another.answer.body.agreedAt, body.revokedAt])
        expect(Date.parse(at)).toBeLessThan(Date.now() - day / 2);
    });
    const revoked = await user('DELETE', consent);
    const again = await user('POST', agree('marketing-1.0'));
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
    const user = await patient();
    const checked = (expected: Partial<Answer['body']>) =>
      eventually(async () => {
        const check = () => user('GET', '/mobile/app-version/check?platform=android&appVersion=9.0.0');
        const { answer, shows } = await realTimesOf(check);
        expect(answer.body).toMatchObject(expected);
        return { checkedAt: answer.body.checkedAt, shows };
      });
    await checked({ outcome: 'normal', reason: 'UP_TO_DATE' });

    const offsetMs = await set({ advance: 'P1DT1H' });
    const { checkedAt, shows } = await checked({ outcome: 'blocked', reason: 'MAINTENANCE' });
    shows(checkedAt, offsetMs);
  });

  test('a user who first calls at that time is created at that time', async () => {
    await set({ now: '2031-01-01T00:00:00.000Z' });
    await eventually(async () => {
      expect((await (await patient())('GET', '/users/me')).body.createdAt).toMatch(/^2031-01-01T00:/);
    });
  });

  test('authentication keeps real time: a token outlives a clock that is ahead', async () => {
    const user = await patient();
    await set({ advance: 'P1D' });
    await eventually(async () => {
      const { body } = await (await patient())('GET', '/users/me');
      expect(Date.parse(body.createdAt)).toBeGreaterThan(Date.now() + day / 2);
    });
    for (const path of ['/users/me', '/users/agreements']) expect((await user('GET', path)).status).toBe(200);
  });
});

test('while the clock cannot be read, everything else goes on with the last that is known', async () => {
  const offsetMs = await set({ advance: 'P1D' });
  await eventually(async () => {
    const { answer } = await agreedBySomeone('marketing-1.0');
    expect(Date.parse(answer.body.agreedAt)).toBeGreaterThan(Date.now());
  });
  stage.faults.clock = true;
  const agreed: Awaited<ReturnType<typeof agreedBySomeone>>[] = [];
  const isUntold = (line: string) => line.startsWith('agree ') && line.includes('clock not read');
  // The last of them asked for the time, and was not told.
  await eventually(async () => {
    agreed.push(await agreedBySomeone('terms-of-service-1.0'));
    expect(stage.log.some(isUntold)).toBe(true);
  });
  for (const { answer, shows } of agreed) {
    expect(answer.status).toBe(200);
    shows(answer.body.agreedAt, offsetMs);
  }
  expect((await stage.timeMachine('GET')).status).toBe(503);
});
