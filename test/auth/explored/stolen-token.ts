import assert from 'node:assert/strict';
import type { Client, Invariant, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
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
  tokenIn,
  withoutConflict,
} from './people.ts';

/** Two have the refresh tokens of one session: its owner, and a thief. */

let first = '';

async function aSession(setUp: SetUp): Promise<void> {
  first = await newSession(setUp, patient);
}

/** As soon as a reuse was answered nothing of the session goes on, and its user has a mail. */
const reuseEnds: Invariant = (end) => {
  const found = end.calls.filter(({ answer }) => (answer.body as Reasoned).detail?.reason === 'reused');
  const [by] = endedBy(end);
  if (found.length === 0) return;
  assert.equal(by, 'reused', 'the row says what the answer says');
  assert.ok(!livesInThePool(end, first));
  assert.ok(noticed(end) >= 1, 'the user got a mail');
  const at = Math.min(...found.map(({ ended }) => ended));
  for (const call of end.calls.filter(done('issueTokens'))) assert.ok(call.begun < at, 'renewed after the reuse');
};

type Reasoned = { readonly detail?: { readonly reason?: string } | null };

/** Renews as often as that, each time with what it got last. */
const renewing3 = async ({ insist }: Client): Promise<void> => {
  let token = first;
  for (let index = 0; index < 3 && token !== ''; index += 1) {
    const answer = await insist('issueTokens', renewing(token));
    token = answer.status === 200 ? tokenIn(answer) : '';
  }
};

export const stolenToken: Scenario = {
  name: 'stolen-token',
  domain: 'auth',
  says: 'A thief and the owner renew the same session by copies of one refresh token.',
  setUp: aSession,
  clients: {
    thief: { as: patient, does: renewing3 },
    owner: { as: patient, does: renewing3 },
  },
  faults: { only: withoutConflict },
  clockMoves: [61_000],
  invariants: {
    'a renewal answers tokens, or that the session has ended': refusals,
    'a token has one successor': oneBranch,
    'a reuse ends the session, and its user gets a mail': reuseEnds,
    'who is refused was signed out by the reuse': (end) => {
      for (const { operation, answer } of end.calls) {
        if (operation === 'issueTokens' && answer.status === 401)
          assert.equal((answer.body as Reasoned).detail?.reason, 'reused');
      }
    },
    'the first token renews no more once its second successor is a minute old': async (end) => {
      if (endedBy(end)[0] !== null || new Set(handedOut(end)).size < 3) return;
      const replaced = end.rows('Sessions')[0]?.predecessors as { replacedAt: string }[];
      const oldest = end.calls.filter(done('issueTokens')).at(-1);
      if (!oldest || replaced.length === 0 || end.now < Date.parse(String(replaced.at(-1)?.replacedAt)) + 61_000)
        return;
      assert.ok(!(await renews(end, patient, first)));
      assert.ok(!livesInThePool(end, first));
    },
  },
};

let last = '';

export const reuseBesideRenewal: Scenario = {
  name: 'reuse-beside-renewal',
  domain: 'auth',
  says: 'A thief presents a token that was replaced long ago, while the owner renews with the present one.',
  setUp: async (setUp) => {
    await aSession(setUp);
    last = first;
    for (let index = 0; index < 2; index += 1) last = tokenIn(await setUp.call(patient, 'issueTokens', renewing(last)));
    setUp.pass(120_000);
  },
  clients: {
    thief: { as: patient, does: ({ insist }) => insist('issueTokens', renewing(first)) },
    owner: { as: patient, does: ({ insist }) => insist('issueTokens', renewing(last)) },
  },
  clockMoves: [-3000, 61_000],
  invariants: {
    'the thief gets nothing': ({ calls }) => {
      for (const call of calls.filter(({ client }) => client === 'thief')) assert.notEqual(call.answer.status, 200);
    },
    'a reuse ends the session, and its user gets a mail': reuseEnds,
    'whoever comes next learns that the session has ended': async (end) => {
      if (endedBy(end)[0] !== 'reused') return;
      for (const token of [first, last, ...handedOut(end)]) assert.ok(!(await renews(end, patient, token)));
      assert.ok(noticed(end) >= 1, 'the user got a mail');
      assert.ok(!livesInThePool(end, first));
    },
  },
};
