import assert from 'node:assert/strict';
import type { Call, Client, End, Invariant, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { joins, leaves, made, staffed, withSites } from '../../crm-sites/explored/sites.ts';
import { admin, otherAdmin, patient, physician } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';

/** A physician looks at a patient who revokes, leaves the site, or whose site the physician leaves. */

const sharing = { params: { versionId: 'data-sharing-1.0' } };
const notSharing = { params: { agreementId: 'data-sharing' } };
const ofPatient = { params: { userId: patient.userId } };

async function shared(given: SetUp): Promise<void> {
  await catalogues(given);
  await withSites(given);
  await given.call(admin, 'putSiteStaff', staffed(made.first, 'Dr. One'));
  await given.call(patient, 'joinSiteByCode', joins(made.first));
  await given.call(patient, 'agree', sharing);
}

const looks = {
  as: physician,
  does: async ({ call }: Client) => {
    await call('readPatient', ofPatient);
    await call('readPatient', ofPatient);
  },
};
const lists = {
  as: physician,
  does: async ({ call }: Client) => {
    await call('listPatients');
    await call('listPatients');
  },
};

const lineOf = ({ answer }: Call): Row | undefined =>
  (answer.body.items as unknown as Row[] | undefined)?.find(({ userId }) => userId === patient.userId);

/** What the line of a patient shows beyond that the patient is with the site. */
const shownIn = (line: Row | undefined) =>
  Object.entries(line ?? {}).filter(([name, value]) => !['userId', 'siteId', 'since'].includes(name) && value !== null);

/** The first answer that said that it is over. */
const overAt = ({ calls }: End, ...operations: readonly string[]) =>
  Math.min(
    ...calls
      .filter(({ operation, answer }) => operations.includes(operation) && answer.status === 200)
      .map(({ ended }) => ended),
  );

const gate: Scenario['invariants'] = {
  'nothing is shown by a request that began after the revocation was answered': (end) => {
    const over = overAt(end, 'revokeConsent');
    for (const call of end.calls) {
      if (call.begun < over) continue;
      if (call.operation === 'readPatient') assert.notEqual(call.answer.status, 200);
      if (call.operation === 'listPatients') assert.deepEqual(shownIn(lineOf(call)), []);
    }
  },
  'nobody is seen by a request that began after the patient or the physician had left the site': (end) => {
    const over = overAt(end, 'leaveSite', 'removeSiteStaff');
    for (const call of end.calls) {
      if (call.begun < over) continue;
      if (call.operation === 'readPatient') assert.notEqual(call.answer.status, 200);
      if (call.operation === 'listPatients') assert.equal(lineOf(call), undefined);
    }
  },
  'a look is refused only after a change that ends it had begun': ({ calls }) => {
    const ending = calls.filter(({ operation }) =>
      ['revokeConsent', 'leaveSite', 'removeSiteStaff'].includes(operation),
    );
    for (const { operation, answer, ended } of calls) {
      if (operation !== 'readPatient' || ![403, 404].includes(answer.status)) continue;
      assert.ok(ending.some(({ begun }) => begun < ended));
    }
  },
  'no honest change puts a consent in doubt': ({ metric }) => {
    assert.deepEqual(metric('consentsInDoubt'), []);
    assert.deepEqual(metric('consentPointersTamperedWith'), []);
  },
  'each look that was answered is in the access log, with the consent that it rests on': ({ calls, rows }) => {
    const log = rows('AccessLog').filter(({ userId }) => userId === patient.userId);
    const agreed = rows('ConsentRecords')
      .filter(({ versionId, action }) => versionId === 'data-sharing-1.0' && action === 'agreed')
      .map(({ recordId }) => recordId);
    for (const own of Map.groupBy(calls, ({ client }) => client).values()) {
      for (const [index, call] of own.entries()) {
        const isShown =
          call.operation === 'readPatient' || (call.operation === 'listPatients' && lineOf(call) !== undefined);
        if (!isShown || call.answer.status !== 200) continue;
        const look = log.find(({ requestId }) => requestId === `${call.client}/${index + 1}`);
        assert.ok(look, `${call.client}/${index + 1} is not in the log`);
        assert.deepEqual([look.by, look.siteId], [physician.userId, made.first.siteId]);
        const isData = call.operation === 'readPatient' || shownIn(lineOf(call)).length > 0;
        if (isData) assert.ok(agreed.includes(look.consentRecordId));
      }
    }
  },
  'the patient sees each look': async ({ rows, call }) => {
    const log = rows('AccessLog').filter(({ userId }) => userId === patient.userId);
    const { body } = await call(patient, 'listAccessLog', { query: { limit: '100' } });
    assert.equal((body.items as unknown as Row[]).length, log.length);
  },
};

export const accessAndRevocation: Scenario = {
  name: 'look-beside-revocation',
  domain: 'crm-patients',
  says: 'A physician looks at a patient and at the list while the patient revokes the consent to share data.',
  setUp: shared,
  clients: {
    'a physician': looks,
    'the list': lists,
    'the patient': { as: patient, does: ({ insist }) => insist('revokeConsent', notSharing) },
  },
  clockMoves: [-3000, 60_000],
  invariants: gate,
};

/** Both rows of a consent change with each of these calls, and a look reads them one by one. */
export const accessAndChanges: Scenario = {
  name: 'look-beside-changes',
  domain: 'crm-patients',
  says: 'A physician looks at a patient and at the list while the patient revokes the consent to share data, agrees again and revokes again on two phones.',
  setUp: shared,
  clients: {
    'a physician': looks,
    'the list': lists,
    'the patient': {
      as: patient,
      does: async ({ insist }) => {
        await insist('revokeConsent', notSharing);
        await insist('agree', sharing);
      },
    },
    'another phone': { as: patient, does: ({ insist }) => insist('revokeConsent', notSharing) },
  },
  consumers: ['watchConsentStates'],
  clockMoves: [-3000, 60_000],
  invariants: {
    'no honest change puts a consent in doubt': gate['no honest change puts a consent in doubt'] as Invariant,
    'each look that was answered is in the access log, with the consent that it rests on': gate[
      'each look that was answered is in the access log, with the consent that it rests on'
    ] as Invariant,
    'what was looked at was shared at some moment of the look': (end) => {
      const changes = end.calls.filter(({ client, operation, answer }) => {
        return (
          client !== 'a physician' && client !== 'the list' && answer.status === 200 && operation !== 'listPatients'
        );
      });
      for (const look of end.calls) {
        const isShown =
          look.operation === 'readPatient' ? look.answer.status === 200 : shownIn(lineOf(look)).length > 0;
        if (!isShown) continue;
        // The last change that was answered before the look began, if no other one was under way.
        const [last] = changes
          .filter(({ ended }) => ended < look.begun)
          .toSorted((one, other) => other.ended - one.ended);
        const isAlone = !changes.some((each) => each !== last && each.ended > (last?.begun ?? 0));
        if (last?.operation === 'revokeConsent' && isAlone)
          assert.fail('a revocation was answered, and nothing was agreed to since');
      }
    },
    'at rest a look is answered by what the patient decided last': async ({ rows, call }) => {
      const [state] = rows('ConsentStates').filter(({ agreementId }) => agreementId === 'data-sharing');
      const { status } = await call(physician, 'readPatient', ofPatient);
      assert.equal(status, state?.action === 'agreed' ? 200 : 403);
    },
  },
};

export const accessAndLeaving: Scenario = {
  name: 'look-beside-leaving',
  domain: 'crm-patients',
  says: 'A physician looks at a patient who leaves the site, while an administrator takes the physician off it.',
  setUp: shared,
  clients: {
    'a physician': looks,
    'the list': lists,
    'the patient': { as: patient, does: ({ insist }) => insist('leaveSite', leaves(made.first)) },
    'an administrator': { as: otherAdmin, does: ({ insist }) => insist('removeSiteStaff', staffed(made.first)) },
  },
  clockMoves: [-3000, 60_000],
  invariants: gate,
};

/** What is over is over at once, also where DynamoDB may answer what was: nothing else goes wrong here. */
export const accessByStaleReads: Scenario = {
  ...accessAndLeaving,
  name: 'look-after-leaving',
  says: 'A physician looks at a patient who leaves the site, while loose reads of DynamoDB answer an earlier state.',
  clients: {
    'a physician': looks,
    'the patient': { as: patient, does: ({ insist }) => insist('leaveSite', leaves(made.first)) },
  },
  faults: { only: ['stale'] },
};
