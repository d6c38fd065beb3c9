import { expect, test } from 'vitest';
import { erasureKeyOf } from '../../functions/erasure/rules/erasure.ts';
import { erasureStage } from './stage.ts';

/** Overlapping runs, while users take back and ask again at the end of the grace. */

const stand = erasureStage();
const rounds = 4;
const people = 6;

async function stateOf(userId: string) {
  const call = await stand.signedInAnew(userId);
  const row = await stand.read('Erasures', erasureKeyOf(userId));
  const guards = (await stand.rows('Accounts', 'userId', userId)).filter(({ part }) => part !== 'account');
  const { status, body } = await call('GET', '/users/me/erasure');
  return { row, guards: guards.length, answer: status === 200 ? body.status : status };
}

test('either a request or its restoration is first, whatever runs at once; a request that was taken back erases nothing (dev’s rules)', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const all = await Promise.all(Array.from({ length: people }, () => stand.person()));
    for (const { userId, call } of all) {
      await call('GET', '/users/me');
      expect((await call('DELETE', '/users/me')).status).toBe(200);
      // Half of them are closed by whichever run comes first.
      if (all.findIndex((one) => one.userId === userId) % 2 === 0) await stand.bringForward(userId, 'graceEndsAt');
    }
    const restored = new Map<string, number[]>();
    const acts = all.map(async ({ userId }) => {
      const answers: number[] = [];
      for (const step of ['POST /users/me/restore', 'DELETE /users/me', 'POST /users/me/restore']) {
        const [method = '', path = ''] = step.split(' ');
        // Each with a new sign-in: the request of the deletion ends the sessions before it.
        const call = await stand.signedInAnew(userId);
        answers.push((await call(method, path)).status);
      }
      restored.set(userId, answers);
    });
    const runs = [1, 2, 3].map(() => stand.run('erase-accounts').catch(() => null));
    await Promise.all([...acts, ...runs]);
    for (const { userId } of all) {
      const answers = restored.get(userId) ?? [];
      for (const status of answers) expect([200, 409, 503], `${answers}`).toContain(status);
      const { row, guards, answer } = await stateOf(userId);
      expect(guards).toBe(row?.requestedAt ? 64 : 0);
      // If the last answer was a restoration, the account is open, and no later run changes that.
      if (answers[2] === 200) expect(answer).toBe('none');
    }
    for (const _ of [1, 2]) await Promise.all([stand.run('erase-accounts'), stand.run('erase-accounts')]);
    for (const { userId } of all) {
      const isRestored = restored.get(userId)?.[2] === 200;
      const profile = await stand.read('Users', { userId });
      if (isRestored) expect(profile).toHaveProperty('createdAt');
      const row = await stand.read('Erasures', erasureKeyOf(userId));
      // One that took effect may have been answered 503.
      if (restored.get(userId)?.[2] !== 503) expect(row?.requestedAt === null).toBe(isRestored);
    }
  }
});
