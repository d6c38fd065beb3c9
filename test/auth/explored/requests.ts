import assert from 'node:assert/strict';
import { sessionIn } from '../../../functions/auth/rules/token-session.ts';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import {
  type Answer,
  type Call,
  type Client,
  type End,
  faultNames,
  type Invariant,
  type Scenario,
  type SetUp,
} from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { done, inThePool, sessionOf, signingIn, tokenIn } from './people.ts';

/** Requests with an access token, beside the end of its session (decision 59). */

export type Session = { readonly sessionId: string; readonly signedInAt: number };
export let phone: Session & { readonly refreshToken: string };
export let tablet: Session;

export function sessionOfAnswer(answer: Answer): Session {
  const { accessToken } = answer.body as { accessToken?: string };
  const session = sessionIn(accessToken ?? '');
  assert.ok(session);
  return { sessionId: session.sessionId, signedInAt: Date.parse(session.signedInAt) / 1000 };
}

export async function twoSessions(setUp: SetUp): Promise<void> {
  inThePool(setUp, patient);
  const answers = [
    await setUp.call(patient, 'issueTokens', signingIn(patient)),
    await setUp.call(patient, 'issueTokens', signingIn(patient)),
  ] as const;
  phone = { ...sessionOfAnswer(answers[0]), refreshToken: tokenIn(answers[0]) };
  tablet = sessionOfAnswer(answers[1]);
  // Neither began just now.
  setUp.pass(120_000);
}

export const asks = (session: () => Session) => async (client: Client) => {
  for (let time = 0; time < 3; time += 1) await client.call('listSessions', { session: session() });
};
const isOf = (session: Session) => (call: Call) =>
  call.operation === 'listSessions' && call.request.session?.sessionId === session.sessionId && isAnswered(call);

/** @param operations whichever ends the session first */
function refusedAfter(session: () => Session, operations: readonly string[]): Invariant {
  return (end) => {
    const ends = end.calls.filter(({ operation }) => operations.includes(operation));
    const answered = Math.min(...ends.filter((call) => call.answer.status === 200).map((call) => call.ended));
    const begun = Math.min(...ends.map((call) => call.begun));
    for (const { answer, begun: asked, ended } of end.calls.filter(isOf(session()))) {
      if (asked > answered) assert.equal(answer.status, 401, 'a request of an ended session is answered');
      if (ended < begun) assert.equal(answer.status, 200, 'a live session is refused');
    }
  };
}

export const isLetIn = async (end: End, session: Session) =>
  (await end.call(patient, 'listSessions', { session })).status === 200;

export const requestsBesideEnd: Scenario = {
  name: 'requests-beside-end',
  domain: 'auth',
  says: 'A phone and a tablet ask with their access tokens, while the phone signs out and its user ends its session on another device.',
  setUp: twoSessions,
  clients: {
    phone: { as: patient, does: asks(() => phone) },
    tablet: { as: patient, does: asks(() => tablet) },
    'sign-out': {
      as: patient,
      does: ({ insist }) => insist('revokeToken', { body: { refreshToken: phone.refreshToken } }),
    },
    owner: {
      as: patient,
      does: async ({ insist }) =>
        void (await insist('endSession', { params: { sessionId: sessionOf(phone.refreshToken) } })),
    },
  },
  clockMoves: [-3000],
  invariants: {
    'what begins after the end is refused, and what ended before it is answered': refusedAfter(
      () => phone,
      ['revokeToken', 'endSession'],
    ),
    'the other session goes on': (end) => {
      for (const { answer } of end.calls.filter(isOf(tablet))) assert.equal(answer.status, 200);
    },
    'it stays so': async (end) => {
      if (end.calls.some(done('endSession'))) assert.ok(!(await isLetIn(end, phone)));
      assert.ok(await isLetIn(end, tablet));
    },
  },
};

export const requestsBesideEndOfAll: Scenario = {
  name: 'requests-beside-end-of-all',
  domain: 'auth',
  says: 'A phone asks with its access token while its user ends all sessions, and the tablet signs out.',
  setUp: twoSessions,
  clients: {
    phone: { as: patient, does: asks(() => phone) },
    owner: { as: patient, does: ({ insist }) => insist('endSessions') },
    'sign-out': {
      as: patient,
      does: ({ insist }) => insist('endSession', { params: { sessionId: tablet.sessionId } }),
    },
  },
  // The clocks of functions differ by less than a sign-in takes: one that begins after the end does not seem to begin before it.
  faults: { only: faultNames.filter((name) => name !== 'clock') },
  invariants: {
    'what begins after the end is refused, and what ended before it is answered': refusedAfter(
      () => phone,
      ['endSessions'],
    ),
    'neither is let in again, and who signs in now is': async (end) => {
      if (!end.calls.some(done('endSessions'))) return;
      for (const session of [phone, tablet]) assert.ok(!(await isLetIn(end, session)));
      assert.ok(await isLetIn(end, sessionOfAnswer(await end.call(patient, 'issueTokens', signingIn(patient)))));
    },
  },
};
