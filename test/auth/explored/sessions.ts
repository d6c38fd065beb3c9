import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Client, End, Invariant, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import {
  done,
  endedBy,
  handedOut,
  livesInThePool,
  newSession,
  noticed,
  oneBranch,
  refusals,
  renewing,
  renews,
  sessionOf,
  signingIn,
  tokenIn,
  withoutConflict,
} from './people.ts';

/** Sessions of one user: renewals at once, and beside their end. */

let first = '';

async function aSession(setUp: SetUp): Promise<void> {
  first = await newSession(setUp, patient);
}

/** Renews once, and then with the token that it got. */
async function renewTwice({ insist }: Client): Promise<void> {
  const answer = await insist('issueTokens', renewing(first));
  if (answer.status === 200) await insist('issueTokens', renewing(tokenIn(answer)));
}

export const twoRenewals: Scenario = {
  name: 'two-renewals',
  domain: 'auth',
  says: 'A phone renews one refresh token twice at the same time, and goes on with what it gets.',
  setUp: aSession,
  clients: {
    'request A': { as: patient, does: renewTwice },
    'request B': { as: patient, does: renewTwice },
  },
  faults: { only: withoutConflict },
  clockMoves: [-3000],
  exhaustive: { faults: 0, most: 30_000 },
  invariants: {
    'each renewal answers tokens': ({ calls }) => {
      for (const call of calls.filter((each) => each.operation === 'issueTokens' && isAnswered(each))) {
        assert.equal(call.answer.status, 200, JSON.stringify(call.answer.body));
      }
    },
    'a token has one successor': oneBranch,
    'nobody is signed out, and nobody gets a mail': (end) => {
      assert.deepEqual(endedBy(end), [null]);
      assert.equal(noticed(end), 0);
    },
    'who got tokens stays signed in, and can be signed out': async (end) => {
      const [last = first] = handedOut(end).slice(-1);
      assert.ok(await renews(end, patient, last));
      const params = { sessionId: sessionOf(first) };
      assert.equal((await end.call(patient, 'endSession', { params })).status, 200);
      assert.ok(!livesInThePool(end, first), 'the pool renews it no more');
      for (const token of [first, ...handedOut(end)]) assert.ok(!(await renews(end, patient, token)));
    },
    'it is one session': ({ rows }) => assert.equal(rows('Sessions').length, 1),
  },
};

/** After an end was answered no token of the session renews: neither one of before nor one of a renewal beside it. */
function nothingRenewsAfter(operation: string): Invariant {
  return async (end) => {
    const ended = end.calls.filter(done(operation));
    if (ended.length === 0) return;
    const at = Math.min(...ended.map((call) => call.ended));
    for (const call of end.calls.filter(done('issueTokens'))) {
      const { grantType } = call.request.body as { grantType: string };
      if (grantType === 'refresh_token' && sessionOf(tokenIn(call.answer)) === sessionOf(first)) {
        assert.ok(call.begun < at, 'a token was renewed after the end was answered');
      }
    }
    for (const token of new Set([first, ...handedOut(end)])) {
      if (sessionOf(token) === sessionOf(first)) assert.ok(!(await renews(end, patient, token)), `${token} renews`);
    }
  };
}

const listed = async (end: End) => {
  const { body } = await end.call(patient, 'listSessions');
  return (body as unknown as { items: { sessionId: string }[] }).items.map(({ sessionId }) => sessionId);
};

export const renewalBesideEnd: Scenario = {
  name: 'renewal-beside-end',
  domain: 'auth',
  says: 'A phone renews its token while its user ends this session on another one.',
  setUp: aSession,
  clients: {
    'request A': { as: patient, does: renewTwice },
    'request B': { as: patient, does: renewTwice },
    owner: {
      as: patient,
      does: async ({ insist }) => {
        await insist('endSession', { params: { sessionId: sessionOf(first) } });
        await insist('listSessions');
      },
    },
  },
  clockMoves: [-3000, 61_000],
  invariants: {
    'the pool itself renews the session no more': (end) => assert.ok(!livesInThePool(end, first)),
    'a token has one successor': oneBranch,
    'a renewal answers tokens, or that the session has ended': refusals,
    'nothing renews after the end': nothingRenewsAfter('endSession'),
    'the session is gone from the list': async (end) => {
      assert.ok(end.calls.some(done('endSession')));
      assert.deepEqual(await listed(end), []);
      const list = end.calls.filter(done('listSessions')).at(-1);
      if (list) assert.deepEqual((list.answer.body as unknown as { items: object[] }).items, []);
    },
  },
};

export const signInBesideEnd: Scenario = {
  name: 'sign-in-beside-end',
  domain: 'auth',
  says: 'A user ends all sessions while one phone renews and another one signs in.',
  setUp: async (setUp) => {
    await aSession(setUp);
    // Its session is not one that began just now.
    setUp.pass(120_000);
  },
  clients: {
    'phone A': { as: patient, does: renewTwice },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        const answer = await insist('issueTokens', signingIn(patient));
        if (answer.status === 200) await insist('issueTokens', renewing(tokenIn(answer)));
      },
    },
    owner: { as: patient, does: ({ insist }) => insist('endSessions') },
  },
  clockMoves: [-3000],
  invariants: {
    'the pool renews no token of an ended session': (end) => {
      if (!end.calls.some(done('endSessions'))) return;
      assert.ok(!livesInThePool(end, first));
    },
    'a renewal answers tokens, or that the session has ended': refusals,
    'nothing renews after the end': nothingRenewsAfter('endSessions'),
    'who signs in after the end stays signed in': async (end) => {
      const ends = end.calls.filter(({ operation }) => operation === 'endSessions');
      const lastEnd = Math.max(...ends.map(({ ended }) => ended));
      const signIn = end.calls.filter(
        (call) =>
          done('issueTokens')(call) &&
          (call.request.body as { grantType: string }).grantType === 'password' &&
          call.begun >= lastEnd,
      );
      for (const call of signIn) {
        const own = handedOut(end).filter((token) => sessionOf(token) === sessionOf(tokenIn(call.answer)));
        assert.ok(await renews(end, patient, own.at(-1) ?? ''));
      }
    },
    'no token renews in the pool whose session is not listed': async (end) => {
      const names = await listed(end);
      for (const token of handedOut(end)) {
        if (livesInThePool(end, token)) assert.ok(names.includes(sessionOf(token)));
      }
    },
  },
};

export const signOut: Scenario = {
  name: 'sign-out-beside-renewal',
  domain: 'auth',
  says: 'A phone signs out with its refresh token while a renewal of the same token is under way.',
  setUp: aSession,
  clients: {
    'request A': { as: patient, does: renewTwice },
    'request B': { as: patient, does: ({ insist }) => insist('revokeToken', { body: { refreshToken: first } }) },
  },
  invariants: {
    'a renewal answers tokens, or that the session has ended': refusals,
    'nothing renews after the sign-out': nothingRenewsAfter('revokeToken'),
  },
};
