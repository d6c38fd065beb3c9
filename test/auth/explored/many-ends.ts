import assert from 'node:assert/strict';
import { endedSession, endingKeptSeconds, mostEndedSessions } from '../../../lib/contract/ended-sessions.ts';
import type { Client, End, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { done, sessionOf, signingIn } from './people.ts';
import { asks, isLetIn, phone, type Session, sessionOfAnswer, tablet, twoSessions } from './requests.ts';

/** The row that says which sessions of a user have ended: where it is full, and where all of them end twice. */

let third: Session;

const ends = (session: () => Session) => ({
  as: patient,
  does: async ({ insist }: Client) => void (await insist('endSession', { params: { sessionId: session().sessionId } })),
});

const endingsIn = ({ written }: End) => written().filter(({ table }) => table === 'EndedSessions');

export const sessionsEndAtTheLimit: Scenario = {
  name: 'sessions-end-at-the-limit',
  domain: 'auth',
  says: 'A user whose row of ended sessions is almost full ends three sessions at once.',
  setUp: async (setUp) => {
    third = sessionOfAnswer(
      await twoSessions(setUp).then(() => setUp.call(patient, 'issueTokens', signingIn(patient))),
    );
    setUp.pass(60_000);
    const until = Math.floor(setUp.now() / 1000) + endingKeptSeconds;
    const old = Array.from({ length: mostEndedSessions - 1 }, (_, number) => endedSession(`old-${number}`, until));
    await setUp.put('EndedSessions', { userId: patient.userId, sessions: new Set(old), expiresAt: until });
  },
  clients: {
    'sign-out': {
      as: patient,
      does: ({ insist }) => insist('revokeToken', { body: { refreshToken: phone.refreshToken } }),
    },
    owner: ends(() => tablet),
    'owner on the phone': ends(() => third),
  },
  invariants: {
    'no more sessions are named than may be': (end) => {
      for (const { after } of endingsIn(end)) assert.ok((after?.sessions?.size ?? 0) <= mostEndedSessions);
    },
    'whose end was answered is let in no more': async (end) => {
      assert.ok(end.calls.some(({ answer }) => answer.status === 200));
      for (const { operation, request, answer } of end.calls) {
        if (answer.status !== 200 || operation === 'listSessions') continue;
        const sessionId = request.params?.sessionId ?? sessionOf(phone.refreshToken);
        const session = [phone, tablet, third].find((each) => each.sessionId === sessionId);
        assert.ok(session && !(await isLetIn(end, session)));
      }
    },
  },
};

const endsAll = { as: patient, does: async ({ insist }: Client) => void (await insist('endSessions')) };

export const allSessionsEndedTwice: Scenario = {
  name: 'all-sessions-ended-twice',
  domain: 'auth',
  says: 'A user ends all sessions on two devices at once, whose clocks differ, while a phone asks.',
  setUp: twoSessions,
  clients: { owner: endsAll, 'owner on the tablet': endsAll, phone: { as: patient, does: asks(() => phone) } },
  clockMoves: [-3000],
  invariants: {
    ...served('owner', 'owner on the tablet'),
    'the later end stays': (end) => {
      for (const { before, after } of endingsIn(end))
        for (const time of ['notBefore', 'underWayUntil'])
          assert.ok((after?.[time] ?? 0) >= (before?.[time] ?? 0), `${time} goes back`);
    },
    'neither session is let in again': async (end) => {
      assert.ok(end.calls.some(done('endSessions')));
      for (const session of [phone, tablet]) assert.ok(!(await isLetIn(end, session)));
    },
  },
};
