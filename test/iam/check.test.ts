import { describe, expect, test } from 'vitest';
import { client } from '../api.ts';
import { admin, newSite, patientAt, physicianAt } from '../crm-sites/people.ts';

const check = async (by: { post: Awaited<ReturnType<typeof client>>['post'] }, body: object) => {
  const answer = await by.post('/iam/check', { body });
  return answer.status === 200 ? answer.body : answer.status;
};

describe('200', () => {
  test('what the caller holds, does not hold, and what nobody has heard of', async () => {
    const [agent, patient] = await Promise.all([client({ application: 'medinfo', roles: 'agent' }), client()]);
    expect(await check(agent, { permission: 'users:read' })).toEqual({ allowed: true, because: 'HELD' });
    expect(await check(agent, { permission: 'users:admin' })).toEqual({ allowed: false, because: 'NOT_HELD' });
    expect(await check(agent, { permission: 'users:fly' })).toEqual({ allowed: false, because: 'UNKNOWN_PERMISSION' });
    expect(await check(patient, { permission: 'consents:write-own' })).toEqual({ allowed: true, because: 'HELD' });
  });

  test('about a patient: the relation, and then the consent', async () => {
    const by = await admin();
    const site = await newSite(by);
    const [physician, sharing, left, silent, stranger] = await Promise.all([
      physicianAt(by, [site]),
      patientAt([site], { isSharing: true }),
      patientAt([site], { isSharing: true }),
      patientAt([site]),
      patientAt([]),
    ]);
    const about = (user: string) => check(physician, { permission: 'patients:read', about: user });
    expect(await about(sharing.user)).toEqual({ allowed: true, because: 'HELD' });
    expect(await about(silent.user)).toEqual({ allowed: false, because: 'CONSENT_MISSING' });
    expect(await about(stranger.user)).toEqual({ allowed: false, because: 'NO_RELATION' });
    expect(await about('nobody')).toEqual({ allowed: false, because: 'NO_RELATION' });
    // Who has deleted the account is nobody's patient any more, from that moment.
    expect((await left.delete('/users/me')).status).toBe(200);
    expect(await about(left.user)).toEqual({ allowed: false, because: 'NO_RELATION' });
    // Without the permission nobody learns whether somebody is a patient.
    const agent = await client({ application: 'medinfo', roles: 'agent' });
    const asked = { permission: 'patients:read', about: sharing.user };
    expect(await check(agent, asked)).toEqual({ allowed: false, because: 'NOT_HELD' });
    // A permission that is held anyway makes nobody a patient of the caller's.
    expect(await check(agent, { ...asked, permission: 'users:read' })).toEqual({
      allowed: false,
      because: 'NO_RELATION',
    });
  });
});

describe('400', () => {
  test('a body without a permission, or with an id that is none', async () => {
    const patient = await client();
    expect(await check(patient, {})).toBe(400);
    expect(await check(patient, { permission: 'users:read', about: 'a#b' })).toBe(400);
  });
});
