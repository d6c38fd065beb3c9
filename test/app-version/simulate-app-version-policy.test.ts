import { describe, expect, test } from 'vitest';
import { policy } from './policy.ts';
import { administrator } from './stored-policy.ts';

const path = '/mobile/app-version/policies/sleepcare/ios';
const simulate = async (body: unknown) => (await administrator()).post(`${path}/simulate`, { body });

describe('200', () => {
  test('a draft tells the outcome of each version, in their order', async () => {
    const draft = policy({ mandatoryReleases: ['2.5.0'] });
    const { status, body } = await simulate({ policy: draft, versions: ['3.1.0', '2.6', '2.4', '1.0'], locale: 'de' });
    expect(status).toBe(200);
    expect(body.results.map(({ appVersion, reason }: Record<string, string>) => [appVersion, reason])).toEqual([
      ['3.1.0', 'UP_TO_DATE'],
      ['2.6', 'BELOW_RECOMMENDED'],
      ['2.4', 'MANDATORY_SKIPPED'],
      ['1.0', 'BELOW_MINIMUM'],
    ]);
    expect(body.results[3]).toEqual({
      appVersion: '1.0',
      updateRequired: true,
      forceBlocked: true,
      outcome: 'blocked',
      reason: 'BELOW_MINIMUM',
      title: 'block (de)',
      message: 'Zum block',
    });
  });

  test('a build, a device and a time are looked at too', async () => {
    const draft = policy({
      blockedBuilds: [{ version: '3.0.0', buildNumber: '7' }],
      rolloutPercentage: 87,
      maintenance: { from: '2027-01-01T00:00:00.000Z', until: null },
    });
    const reasons = async (more: object) => {
      const { body } = await simulate({ policy: draft, versions: ['3.0.0', '2.9.0'], ...more });
      return body.results.map(({ reason }: { reason: string }) => reason);
    };
    const at = '2026-12-31T23:59:59.999Z';
    expect(await reasons({ at, buildNumber: '7' })).toEqual(['BUILD_BLOCKED', 'UP_TO_DATE']);
    expect(await reasons({ at, deviceId: 'device-1' })).toEqual(['UP_TO_DATE', 'UP_TO_DATE']);
    expect(await reasons({ at, deviceId: 'device-2' })).toEqual(['UP_TO_DATE', 'BELOW_RECOMMENDED']);
    expect(await reasons({ at: '2027-01-01T00:00:00.000Z' })).toEqual(['MAINTENANCE', 'MAINTENANCE']);
    // Compared as text it would be before the maintenance, and the other one after its begin.
    expect(await reasons({ at: '2026-12-31T16:00:00-08:00' })).toEqual(['MAINTENANCE', 'MAINTENANCE']);
    expect(await reasons({ at: '2027-01-01T08:59:59+09:00', buildNumber: '7' })).toEqual([
      'BUILD_BLOCKED',
      'UP_TO_DATE',
    ]);
  });

  test('without a draft the stored policy is asked, and nothing is written', async () => {
    const admin = await administrator();
    const before = (await admin.get(path)).body;
    const { body } = await simulate({ versions: [before.latestVersion, '0.1'] });
    expect(body.results.map(({ reason }: { reason: string }) => reason)).toEqual(['UP_TO_DATE', 'BELOW_MINIMUM']);
    await simulate({ policy: policy(), versions: ['1'] });
    expect((await admin.get(path)).body).toEqual(before);
  });
});

describe('400', () => {
  test.each([
    ['no versions', {}, ['versions']],
    ['an empty list', { versions: [] }, ['versions']],
    ['a version that is none', { versions: ['1.0', 'latest'] }, ['versions[1]']],
    ['a time that is none', { versions: ['1.0'], at: 'today' }, ['at']],
    ['a draft of another form', { versions: ['1.0'], policy: { ...policy(), storeUrl: 'x' } }, ['policy.storeUrl']],
    [
      'a draft that contradicts itself',
      { versions: ['1.0'], policy: policy({ minimumVersion: '9' }) },
      ['policy.minimumVersion'],
    ],
  ])('%s', async (_name, body, paths) => {
    const answer = await simulate(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual(paths);
  });
});
