import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { End, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import {
  done,
  endedBy,
  handedOut,
  inThePool,
  livesInThePool,
  mailsOf,
  newSession,
  renewing,
  renews,
  signingIn,
} from './people.ts';

/** The list that shows the owner of an account who came in. */

const from = (deviceName: string) => ({ body: { ...signingIn(patient).body, deviceName } });

const signIns = ({ calls }: End) => calls.filter(({ operation }) => operation === 'issueTokens');

type Listed = { readonly signInId: string; readonly at: string; readonly isNewDevice: boolean };

/** All pages, as the app reads them. */
async function listed(end: End, limit: number): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: String(limit), ...(cursor !== undefined && { cursor }) };
    const { status, body } = await end.call(patient, 'listOwnSignIns', { query });
    assert.equal(status, 200);
    const page = body as unknown as { items: Listed[]; metadata: { nextCursor: string | null } };
    found.push(...page.items);
    cursor = page.metadata.nextCursor;
  }
  return found;
}

/** Sign-ins that could not be kept: each rings an alarm. */
const notKept = ({ metric }: End) => metric('signInNotKept').reduce((sum, value) => sum + value, 0);

export const twoSignIns: Scenario = {
  name: 'two-sign-ins',
  domain: 'auth',
  says: 'Two phones sign in to one account at once, one of them twice, while the owner looks at the list.',
  setUp: async (setUp) => {
    inThePool(setUp, patient);
    assert.equal((await setUp.call(patient, 'readProfile')).status, 200);
    assert.equal((await setUp.call(patient, 'issueTokens', from('phone-0'))).status, 200);
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('issueTokens', from('phone-a')) },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('issueTokens', from('phone-b'));
        await insist('issueTokens', from('phone-b'));
      },
    },
    owner: { as: patient, does: ({ insist }) => insist('listOwnSignIns') },
  },
  consumers: ['sendMail'],
  clockMoves: [-3000, 60_000],
  invariants: {
    'every sign-in that was answered is listed, or counted as missing': async (end) => {
      const answered = signIns(end).filter(({ answer }) => answer.status === 200).length;
      const items = await listed(end, 20);
      assert.ok(items.length + notKept(end) >= answered + 1, `${items.length} listed of ${answered + 1}`);
    },
    'nothing is listed that was no sign-in': async (end) => {
      const items = await listed(end, 20);
      assert.ok(items.length <= signIns(end).length + 1);
      assert.equal(new Set(items.map(({ signInId }) => signInId)).size, items.length);
    },
    'the pages have the same, newest first': async (end) => {
      const items = await listed(end, 20);
      assert.deepEqual(await listed(end, 1), items);
      const times = items.map(({ at }) => at);
      assert.deepEqual(times, times.toSorted().toReversed());
    },
    'the owner got a mail about each sign-in on a new device': async (end) => {
      const unknown = (await listed(end, 20)).filter(({ isNewDevice }) => isNewDevice).length;
      assert.ok(end.outside.mails.length >= unknown, `${end.outside.mails.length} mails of ${unknown}`);
    },
    'a look at the list answers at any time': ({ calls }) => {
      const looks = calls.filter((call) => call.operation === 'listOwnSignIns' && isAnswered(call));
      for (const { answer } of looks) assert.equal(answer.status, 200);
    },
  },
};

let previous = '';

export const signInOverOldSession: Scenario = {
  name: 'sign-in-over-old-session',
  domain: 'auth',
  says: 'An app signs in and presents the refresh token of its session before, while that token is also used to renew.',
  setUp: async (setUp) => {
    previous = await newSession(setUp, patient);
  },
  clients: {
    app: {
      as: patient,
      does: async ({ insist }) => {
        const { body } = signingIn(patient);
        await insist('issueTokens', { body: { ...body, previousRefreshToken: previous } });
      },
    },
    renewal: { as: patient, does: ({ insist }) => insist('issueTokens', renewing(previous)) },
  },
  clockMoves: [-3000, 61_000],
  invariants: {
    'once the sign-in was answered, the session before has ended': async (end) => {
      const [signIn] = end.calls.filter(({ client }) => client === 'app').filter(done('issueTokens'));
      if (!signIn) return;
      assert.ok(!(await renews(end, patient, previous)));
      assert.ok(!livesInThePool(end, previous), 'Cognito would renew it');
      for (const call of end.calls.filter(({ client }) => client === 'renewal').filter(done('issueTokens')))
        assert.ok(call.begun < signIn.ended, 'renewed after the answer');
    },
    'the new session goes on': async (end) => {
      const signIns = end.calls.filter(({ client }) => client === 'app').filter(done('issueTokens'));
      for (const token of handedOut({ ...end, calls: signIns })) assert.ok(await renews(end, patient, token));
    },
    'no owner gets a mail who presented the token of a session that lived': (end) => {
      const isRepeated = end.calls.filter(({ client }) => client === 'app').length > 1;
      if (!isRepeated) assert.equal(mailsOf(end, 'new-device').length, 1, 'the mail is about the first sign-in');
    },
    'the session before was ended on request': (end) => {
      for (const by of endedBy(end)) assert.ok(by === null || by === 'asked', `${by}`);
    },
  },
};
