import { expect } from 'vitest';
import { daysAgo, entryOf } from '../sleep/diary.ts';
import { screeningDraft } from '../sleep/screening.ts';
import { mood, sleepiness } from '../sleep/therapy-people.ts';
import type { Opened } from './routes.ts';
import { asked, type Person, type Stage } from './stage.ts';

/** Routes that follow from what a code unlocked: staff end it, and a patient who guides themselves releases a sleep window. */

type Entitled = {
  readonly me: Person;
  readonly batchId: string;
  readonly accessCodeId: string;
};

/** Somebody whose programme has begun, with the only code of its batch. */
async function entitled(stage: Stage, programmeId = 'insomnia-basic'): Promise<Entitled> {
  const me = await stage.person();
  await asked(() => me.call('GET', '/users/me'));
  const terms = { kind: 'clinic', programmeId, grantsDays: 90, redeemBy: '2098-12-31T23:59:59Z' };
  const { batchId, codes } = await asked(() =>
    stage.admin.call('POST', '/access-codes/batches', { count: 1, ...terms }),
  );
  const [{ accessCodeId, code }] = codes;
  await asked(() => me.call('POST', '/access-codes/redeem', { code }));
  return { me, batchId, accessCodeId };
}

/** By staff, who end what was unlocked: afterwards it is over, for its holder. */
async function revoking(
  stage: Stage,
  nameOf: (entitled: Entitled) => { readonly mark: string; readonly path: string },
): Promise<Opened> {
  const there = await entitled(stage);
  const { mark, path } = nameOf(there);
  return {
    mark,
    person: there.me,
    status: 200,
    send: () => stage.admin.call('POST', `/access-codes/${path}/revoke`, { endEntitlements: true }),
    leaves: async () => {
      const { items } = await asked(() => there.me.call('GET', '/users/me/entitlements'));
      expect(items).toMatchObject([{ status: 'ended' }]);
      const subject = encodeURIComponent(
        path.startsWith('batches/') ? `access-code-batch/${mark}` : `access-code/${mark}`,
      );
      const events = (await asked(() => stage.admin.call('GET', `/admin/audit-events?subject=${subject}`))).items;
      const isEnd = ({ action }: { action: string }) => !action.endsWith('.issued');
      expect(events.filter(isEnd)).toHaveLength(1);
    },
  };
}

export const entitledRoutes = {
  'revoke-access-code': (stage: Stage) =>
    revoking(stage, ({ accessCodeId }) => ({ mark: accessCodeId, path: accessCodeId })),
  'revoke-access-code-batch': (stage: Stage) =>
    revoking(stage, ({ batchId }) => ({ mark: batchId, path: `batches/${batchId}` })),
  'release-own-sleep-window': async (stage: Stage): Promise<Opened> => {
    const { me } = await entitled(stage, 'insomnia-self-guided');
    await asked(() => me.call('PATCH', '/users/me', { birthYear: 1980 }));
    for (const days of [1, 2, 3, 4, 5, 6])
      await asked(() => me.call('PUT', `/sleep/entries/${daysAgo(days)}`, entryOf(daysAgo(days))));
    const draft = '/questionnaires/responses/screening';
    await asked(() => me.call('PUT', draft, screeningDraft()));
    await asked(() => me.call('POST', `${draft}/complete`));
    for (const [responseId, body] of [
      ['sleepiness', sleepiness(5)],
      ['mood', mood],
    ] as const) {
      await asked(() => me.call('PUT', `/questionnaires/responses/${responseId}`, body));
      await asked(() => me.call('POST', `/questionnaires/responses/${responseId}/complete`));
    }
    const { proposal } = await asked(() => me.call('GET', '/sleep/window'));
    const { proposalId } = proposal;
    return {
      mark: me.userId,
      person: me,
      status: 200,
      send: () => me.call('POST', '/sleep/window/release', { proposalId }),
      // However often its answer was lost, it is one window.
      leaves: async () => {
        const found = await asked(() => me.call('GET', '/sleep/window'));
        expect(found).toMatchObject({ status: 'active', window: { sequence: 1, by: 'screening' } });
      },
    };
  },
};
