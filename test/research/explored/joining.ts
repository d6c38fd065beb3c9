import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { otherPatient, otherResearcher, patient, researcher } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { definition } from '../study.ts';
import {
  chainOf,
  consents,
  enrolmentEvents,
  enrolmentOf,
  joins,
  leaves,
  moves,
  recruiting,
  renews,
  studyInvariants,
  withdraws,
} from './studies.ts';

/** Who joins a study, leaves it and revokes the consent on several phones at once. */

const consumers = ['publishConsentEvents', 'endEnrolments', 'publishEnrolmentEvents'];

export const joinAndRevoke: Scenario = {
  name: 'join-beside-revocation',
  domain: 'research',
  says: 'A user joins a study on one phone, and revokes the consent, agrees and joins again on another one.',
  setUp: async (given) => {
    await recruiting(given);
    await given.call(patient, 'agree', consents);
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('joinStudy', joins()) },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('revokeConsent', withdraws);
        await insist('agree', consents);
        await insist('joinStudy', joins());
      },
    },
  },
  consumers,
  clockMoves: [-3000, 60_000],
  invariants: {
    ...studyInvariants,
    ...enrolmentEvents,
    ...served('phone B'),
    'who has joined and not revoked since takes part': (end) =>
      assert.equal(enrolmentOf(end, patient.userId)?.leftAt, null),
    'a join is refused only while the consent was revoked': ({ calls }) => {
      const revocation = calls.find(({ operation }) => operation === 'revokeConsent');
      for (const { operation, client, answer, ended } of calls) {
        if (operation !== 'joinStudy' || answer.status === 200) continue;
        assert.ok([0, 403, 502, 503, 504].includes(answer.status), String(answer.status));
        if (answer.status === 403) assert.ok(client === 'phone A' && revocation && revocation.begun < ended);
      }
    },
  },
};

export const joinAndLeave: Scenario = {
  name: 'join-beside-leaving',
  domain: 'research',
  says: 'A user joins a study on one phone and leaves it on another one, while the study is closed.',
  setUp: async (given) => {
    await recruiting(given);
    await given.call(patient, 'agree', consents);
    await given.call(patient, 'joinStudy', joins());
    await given.call(otherPatient, 'agree', consents);
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('leaveStudy', leaves(true)) },
    'phone B': { as: patient, does: ({ insist }) => insist('revokeConsent', withdraws) },
    'another user': { as: otherPatient, does: ({ insist }) => insist('joinStudy', joins()) },
    'a researcher': { as: researcher, does: ({ insist }) => insist('transitionStudy', moves('closed', 3)) },
  },
  consumers,
  invariants: {
    ...studyInvariants,
    ...enrolmentEvents,
    ...served('phone A', 'phone B'),
    'who left takes no part, and the chain has one revocation': (end) => {
      assert.notEqual(enrolmentOf(end, patient.userId)?.leftAt, null);
      assert.equal(chainOf(end, patient.userId).length, 2);
    },
    'the choice to keep what was exported is kept, where it was answered': (end) => {
      const answered = end.calls.find(({ operation, answer }) => operation === 'leaveStudy' && answer.status === 200);
      if (answered?.answer.body.keepExported) assert.equal(enrolmentOf(end, patient.userId)?.keepExported, true);
    },
    'nobody joins a study that was closed before': (end) => {
      const closing = end.calls.find(
        ({ operation, answer }) => operation === 'transitionStudy' && answer.status === 200,
      );
      const joining = end.calls.filter(({ operation }) => operation === 'joinStudy');
      if (closing && joining.every(({ begun }) => begun >= closing.ended)) {
        assert.equal(enrolmentOf(end, otherPatient.userId), undefined);
      }
      for (const { answer } of joining) if (answer.status === 200) assert.ok(enrolmentOf(end, otherPatient.userId));
    },
  },
};

export const joinAndRenewal: Scenario = {
  name: 'join-beside-renewal',
  domain: 'research',
  says: 'Two users join a study while its code is renewed.',
  setUp: async (given) => {
    await recruiting(given);
    await given.call(patient, 'agree', consents);
    await given.call(otherPatient, 'agree', consents);
  },
  clients: {
    'a user': { as: patient, does: ({ insist }) => insist('joinStudy', joins()) },
    'another user': {
      as: otherPatient,
      does: async ({ insist }) => {
        await insist('joinStudy', joins());
        await insist('leaveStudy', leaves());
      },
    },
    'a researcher': { as: researcher, does: ({ insist }) => insist('renewStudyCode', renews('second')) },
  },
  consumers,
  clockMoves: [60_000],
  invariants: {
    ...studyInvariants,
    ...enrolmentEvents,
    'the old code lets nobody in after the new one was answered': (end) => {
      const renewal = end.calls.find(
        ({ operation, answer }) => operation === 'renewStudyCode' && answer.status === 200,
      );
      for (const user of [patient.userId, otherPatient.userId]) {
        const own = end.calls.filter(
          ({ operation, client }) => operation === 'joinStudy' && (client === 'a user') === (user === patient.userId),
        );
        if (renewal && own.every(({ begun }) => begun >= renewal.ended))
          assert.equal(enrolmentOf(end, user), undefined);
        for (const { answer } of own) {
          if (answer.status === 200) assert.ok(enrolmentOf(end, user));
          else assert.ok([0, 404, 502, 503, 504].includes(answer.status), String(answer.status));
        }
      }
    },
    'each answer of one renewal has the same code': ({ calls, rows }) => {
      const codes = calls.flatMap(({ operation, answer }) =>
        operation === 'renewStudyCode' && answer.status === 200 ? [answer.body.code] : [],
      );
      assert.ok(new Set(codes).size <= 1);
      assert.equal(rows('StudyCodes').length, 1);
    },
    ...served('a researcher'),
  },
};

export const joinAndLastRevocation: Scenario = {
  name: 'join-beside-last-revocation',
  domain: 'research',
  says: 'A user joins a study on one phone and revokes the consent on another one, for good.',
  setUp: joinAndRevoke.setUp as NonNullable<Scenario['setUp']>,
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('joinStudy', joins()) },
    'phone B': { as: patient, does: ({ insist }) => insist('revokeConsent', withdraws) },
  },
  consumers,
  faults: { most: 1 },
  invariants: {
    ...studyInvariants,
    ...enrolmentEvents,
    ...served('phone B'),
    'who has revoked takes no part': (end) => assert.notEqual(enrolmentOf(end, patient.userId)?.leftAt, null),
  },
};

const invited = { code: '' };
const joinsInvited: Scenario['clients'][string]['does'] = async ({ insist }) => {
  await insist('joinStudy', { body: invited });
};

export const oneInvitation: Scenario = {
  name: 'one-invitation',
  domain: 'research',
  says: 'Two users join a study by one invitation, while one researcher changes the study and another one closes it.',
  setUp: async (given) => {
    await recruiting(given);
    for (const person of [patient, otherPatient]) await given.call(person, 'agree', consents);
    const { body } = await given.call(researcher, 'inviteToStudy', { ...renews('invite'), body: { count: 1 } });
    invited.code = (body as unknown as { invitations: { code: string }[] }).invitations[0]?.code ?? '';
  },
  clients: {
    'a user': { as: patient, does: joinsInvited },
    'another user': { as: otherPatient, does: joinsInvited },
    'a researcher': {
      as: researcher,
      does: ({ insist }) => insist('replaceStudy', { ...moves('', 3), body: { ...definition, title: 'Nights' } }),
    },
    'another researcher': { as: otherResearcher, does: ({ insist }) => insist('transitionStudy', moves('closed', 3)) },
  },
  consumers,
  clockMoves: [60_000],
  invariants: {
    ...studyInvariants,
    ...enrolmentEvents,
    'an invitation lets one user in': ({ rows, calls }) => {
      const isUsed = rows('StudyCodes').some(({ kind, usedAt }) => kind === 'invitation' && usedAt);
      assert.equal(rows('Enrolments').length, isUsed ? 1 : 0);
      const joined = calls.filter(({ operation, answer }) => operation === 'joinStudy' && answer.status === 200);
      assert.ok(new Set(joined.map(({ client }) => client)).size <= 1);
    },
    'of two changes of one revision one is made': ({ rows, calls }) => {
      const changed = calls.filter(({ client, answer }) => client.includes('researcher') && answer.status === 200);
      assert.ok(new Set(changed.map(({ client }) => client)).size <= 1);
      assert.ok(rows('Studies').find(({ kind }) => kind === 'study')?.revision <= 4);
    },
  },
};
