import assert from 'node:assert/strict';
import { pseudonymOf } from '../../../functions/research/rules.ts';
import type { Call, End, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { inThePool } from '../../auth/explored/people.ts';
import { otherPatient, otherResearcher, patient, researcher } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import {
  chainOf,
  consents,
  enrolmentOf,
  joins,
  leaves,
  made,
  recruiting,
  studyInvariants,
  withdraws,
} from '../../research/explored/studies.ts';

/** Exports of a study whose participants leave meanwhile. */

const consumers = ['makeResearchExport', 'enqueueWithdrawals', 'publishConsentEvents', 'endEnrolments'];

const night = {
  params: { date: '2026-02-28' },
  body: {
    zone: 'Europe/Berlin',
    slept: false,
    inBedAt: '2026-02-28T00:00:00+01:00',
    outOfBedAt: '2026-02-28T06:00:00+01:00',
  },
};
const keyOf = ({ request }: Pick<Call, 'request'>) => request.headers?.['Idempotency-Key'];
const exporting = (key: string) => ({ params: { studyId: made.studyId }, headers: { 'Idempotency-Key': key } });

async function taking(given: SetUp, ...people: readonly (typeof patient)[]): Promise<void> {
  await recruiting(given);
  for (const person of people) {
    await given.call(person, 'readProfile', {});
    await given.call(person, 'agree', consents);
    await given.call(person, 'joinStudy', joins());
    await given.call(person, 'putSleepEntry', night);
  }
}

function pseudonymIn({ rows }: End, userId: string): string {
  const [row] = rows('StudyKeys');
  return pseudonymOf(row?.secret, userId);
}

/** The pseudonyms in the files of an export. */
function inFiles({ outside }: End, exportId: string): Set<string> {
  const found = new Set<string>();
  for (const [key, versions] of Object.entries(outside.objects)) {
    if (!key.includes(`/${exportId}/`) || !key.endsWith('.ndjson') || key.includes('/draft/')) continue;
    for (const line of versions.at(-1)?.body.toString().split('\n') ?? []) {
      const { pseudonym, participant } = line === '' ? ({} as Row) : (JSON.parse(line) as Row);
      if (pseudonym ?? participant) found.add(pseudonym ?? participant);
    }
  }
  return found;
}

const exportsIn = ({ rows }: End) => rows('ResearchExports').filter(({ exportId }) => exportId !== '~latest');

const exportInvariants = (before: number): Scenario['invariants'] => ({
  'each export is done, and has no drafts left': (end) => {
    for (const { exportId, status } of exportsIn(end)) {
      assert.equal(status, 'done');
      const drafts = Object.keys(end.outside.objects).filter((key) => key.includes(`${exportId}/draft/`));
      assert.deepEqual(drafts, []);
    }
  },
  'each request makes one export, and every answer names it': (end) => {
    const requests = end.calls.filter(({ operation }) => operation === 'requestResearchExport');
    const ids = new Set(exportsIn(end).map(({ exportId }) => exportId));
    for (const all of Map.groupBy(requests, keyOf).values()) {
      const named = new Set(all.flatMap(({ answer }) => (answer.status === 202 ? [answer.body.exportId] : [])));
      assert.ok(named.size <= 1);
      for (const id of named) assert.ok(ids.has(id));
    }
    assert.ok(ids.size <= before + 1);
  },
  'who takes part all the time is in each export': (end) => {
    for (const { userId } of [patient, otherPatient]) {
      const isClosed = end.rows('Accounts').some((row) => row.userId === userId && row.isClosed === true);
      const stays = enrolmentOf(end, userId)?.leftAt === null && chainOf(end, userId).length === 1 && !isClosed;
      if (!stays) continue;
      for (const { exportId } of exportsIn(end)) assert.ok(inFiles(end, exportId).has(pseudonymIn(end, userId)));
    }
  },
  'who is in a file is known to be in the export': (end) => {
    const known = new Set(
      end.rows('ResearchExportContents').map(({ exportId, pseudonym }) => `${exportId} ${pseudonym}`),
    );
    for (const { exportId } of exportsIn(end)) {
      for (const pseudonym of inFiles(end, exportId)) assert.ok(known.has(`${exportId} ${pseudonym}`));
    }
  },
  'nobody is in an export who had revoked before it was requested': (end) => {
    for (const { operation, client, answer, ended } of end.calls) {
      if (answer.status !== 200 || !['revokeConsent', 'leaveStudy'].includes(operation)) continue;
      const userId = client === 'another participant' ? otherPatient.userId : patient.userId;
      const back = end.calls.some((call) => call.client === client && call.operation === 'agree');
      const asked = end.calls.filter((call) => call.operation === 'requestResearchExport');
      for (const { exportId } of exportsIn(end)) {
        // A request whose answer nobody heard may have made the export that its repetition names.
        const keys = new Set(asked.filter(({ answer }) => answer.body.exportId === exportId).map(keyOf));
        const own = asked.filter((call) => keys.has(keyOf(call)));
        const begun = Math.min(...(own.length > 0 ? own : asked).map((call) => call.begun));
        if (back || ended > begun) continue;
        assert.ok(!inFiles(end, exportId).has(pseudonymIn(end, userId)), `${userId} is in the files`);
      }
    }
  },
  'who left has one notice for each export with that consent, and nobody else has one': (end) => {
    const notices = end.rows('ResearchExportNotices').map(({ noticeKey }) => String(noticeKey));
    const expected = end.rows('ResearchExportContents').flatMap(({ exportId, pseudonym, consentSequence }) => {
      const userId = [patient.userId, otherPatient.userId].find((each) => pseudonymIn(end, each) === pseudonym) ?? '';
      const isOver = chainOf(end, userId).some(
        ({ action, sequence }) => action === 'revoked' && sequence > consentSequence,
      );
      const keeps = enrolmentOf(end, userId)?.keepExported === true;
      return isOver ? [`${exportId}#${keeps ? 'keep' : 'delete'}#${pseudonym}`] : [];
    });
    assert.deepEqual(notices.toSorted(), expected.toSorted());
  },
});

export const exportBesideLeavers: Scenario = {
  name: 'export-beside-leavers',
  domain: 'research-exports',
  says: 'An export of a study is made while one participant leaves it and another one revokes the consent.',
  setUp: (given) => taking(given, patient, otherPatient),
  clients: {
    'a researcher': { as: researcher, does: ({ insist }) => insist('requestResearchExport', exporting('one')) },
    'a participant': { as: patient, does: ({ insist }) => insist('leaveStudy', leaves(true)) },
    'another participant': { as: otherPatient, does: ({ insist }) => insist('revokeConsent', withdraws) },
  },
  consumers,
  clockMoves: [60_000],
  invariants: {
    ...studyInvariants,
    ...served('a researcher', 'a participant', 'another participant'),
    ...exportInvariants(0),
  },
};

/** Who comes back is in the next export, which the notice of the first one must not reach. */
export const exportAndComeback: Scenario = {
  name: 'export-and-comeback',
  domain: 'research-exports',
  says: 'A participant leaves a study and comes back before and while it is exported again.',
  setUp: async (given) => {
    await taking(given, patient);
    await given.call(researcher, 'requestResearchExport', exporting('zero'));
  },
  clients: {
    'a participant': {
      as: patient,
      does: async ({ insist }) => {
        await insist('leaveStudy', leaves());
        await insist('agree', consents);
        await insist('joinStudy', joins());
      },
    },
    'a researcher': { as: researcher, does: ({ insist }) => insist('requestResearchExport', exporting('one')) },
  },
  consumers,
  clockMoves: [60_000],
  invariants: { ...studyInvariants, ...exportInvariants(1) },
};

/** No row may ever say that the participant left: only the chain of consents shows it. */
export const revokedAndBack: Scenario = {
  name: 'revoked-and-back',
  domain: 'research-exports',
  says: 'A participant of an exported study revokes, agrees and joins again on one phone, and joins on another one.',
  setUp: async (given) => {
    await taking(given, patient);
    await given.call(researcher, 'requestResearchExport', exporting('zero'));
    await given.settle();
  },
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('revokeConsent', withdraws);
        await insist('agree', consents);
        await insist('joinStudy', joins());
      },
    },
    'phone B': { as: patient, does: ({ insist }) => insist('joinStudy', joins()) },
  },
  consumers,
  faults: { most: 1 },
  invariants: { ...studyInvariants, ...served('phone A'), ...exportInvariants(1) },
};

const common = exportInvariants(1);

export const exportBesideClosing: Scenario = {
  name: 'export-beside-closing',
  domain: 'research-exports',
  says: 'Two researchers ask for an export of a study at once while one of its participants asks for the erasure of the account.',
  setUp: async (given) => {
    await taking(given, patient, otherPatient);
    inThePool(given, patient);
  },
  clients: {
    'a researcher': { as: researcher, does: ({ insist }) => insist('requestResearchExport', exporting('one')) },
    'another researcher': {
      as: otherResearcher,
      does: ({ insist }) => insist('requestResearchExport', exporting('two')),
    },
    'a participant': { as: patient, does: ({ insist }) => insist('requestErasure') },
  },
  consumers,
  invariants: {
    ...common,
    'one export of a study is made at a time': ({ written }) => {
      const open = new Set<string>();
      for (const { table, after } of written()) {
        if (table !== 'ResearchExports' || !after || after.exportId === '~latest') continue;
        if (['done', 'failed'].includes(after.status)) open.delete(after.exportId);
        else open.add(after.exportId);
        assert.ok(open.size <= 1, 'two exports are under way');
      }
    },
    'nobody comes into an export whose account is closed': (end) => {
      let isClosed = false;
      for (const { table, after } of end.written()) {
        if (table === 'Accounts' && after?.userId === patient.userId) isClosed = true;
        if (table !== 'ResearchExportContents' || after?.pseudonym !== pseudonymIn(end, patient.userId)) continue;
        assert.ok(!isClosed, 'the participant had closed the account before');
      }
    },
  },
};
