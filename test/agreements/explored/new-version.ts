import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { contentKey } from '../../../functions/agreements/rules/content.ts';
import type { Client, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { consentInvariants } from '../../consents/explored/two-phones.ts';
import { admin, otherAdmin, otherPatient, patient } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';
import { served } from '../../explorer/served.ts';

/** An administrator publishes a version while users agree to the one before. */

const [old, next] = ['marketing-1.0', 'marketing-2.0'];
const text = Buffer.from('We write to you of what is new.');
const contentHash = createHash('sha256').update(text).digest('hex');
const body = {
  versionId: next,
  label: '2.0',
  changeType: 'major',
  defaultLocale: 'en',
  locales: { en: { title: 'Marketing', contentUrl: 'https://example.com/marketing', contentHash } },
};
const of = (versionId: string) => ({ params: { versionId } });

const agrees = async ({ insist }: Client) => {
  const { status } = await insist('agree', of(old));
  // The app asks again with the version that is shown now.
  if (status === 409) await insist('agree', of(next));
};

export const versionBesideConsents: Scenario = {
  name: 'version-beside-consents',
  domain: 'agreements',
  says: 'An administrator publishes a new version while users agree, and another one withdraws it.',
  setUp: async (given) => {
    await catalogues(given);
    await given.call(admin, 'draftAgreementVersion', {
      params: { agreementId: 'marketing' },
      headers: { 'Idempotency-Key': 'draft' },
      body,
    });
    const key = `AgreementContents/${contentKey(next, 'en', contentHash)}`;
    given.outside.objects[key] = [
      { id: 'text', body: text, contentType: 'text/plain; charset=utf-8', at: given.now() },
    ];
  },
  clients: {
    'an administrator': { as: admin, does: ({ insist }) => insist('publishAgreementVersion', of(next)) },
    'another administrator': { as: otherAdmin, does: ({ insist }) => insist('publishAgreementVersion', of(next)) },
    'a user': { as: patient, does: agrees },
    'another user': { as: otherPatient, does: agrees },
  },
  consumers: ['publishConsentEvents'],
  clockMoves: [60_000],
  invariants: {
    ...consentInvariants,
    ...served('an administrator', 'another administrator', 'a user', 'another user'),
    'nobody agrees to a version that was superseded before the call began': ({ calls }) => {
      const published = Math.min(
        ...calls
          .filter(({ operation, answer }) => operation === 'publishAgreementVersion' && answer.status === 200)
          .map(({ ended }) => ended),
      );
      const olds = calls.filter(({ operation, request }) => operation === 'agree' && request.params?.versionId === old);
      for (const { client, answer, begun } of olds) {
        // A repetition gets the consent that the first call has written before.
        const isRepetition = olds.some((call) => call.client === client && call.begun < Math.min(begun, published));
        if (begun >= published && !isRepetition) assert.notEqual(answer.status, 200);
      }
    },
    'a consent is to the requested version, and each refusal has its reason': ({ calls, rows }) => {
      const publishing = calls.filter(({ operation }) => operation === 'publishAgreementVersion');
      for (const { operation, request, answer, client, ended } of calls) {
        if (operation !== 'agree') continue;
        const userId = client === 'a user' ? patient.userId : otherPatient.userId;
        const records = rows('ConsentRecords').filter(({ userAgreement }) => userAgreement === `${userId}#marketing`);
        const own = records.some(({ versionId }) => versionId === request.params?.versionId);
        if (answer.status === 200) assert.ok(own);
        if (answer.status === 409) assert.ok(publishing.some(({ begun }) => begun < ended));
      }
    },
    'it is published once, with one time and one audit event': ({ calls, rows, changes }) => {
      const times = calls.flatMap(({ operation, answer }) =>
        operation === 'publishAgreementVersion' && answer.status === 200 ? [answer.body.publishedAt] : [],
      );
      assert.equal(new Set(times).size, 1);
      const published = changes('Agreements').filter(
        ({ before, after }) =>
          after?.versionId === next && before?.publishedAt !== after.publishedAt && after.publishedAt,
      );
      assert.equal(published.length, 1);
      const events = rows('AuditEvents').filter(({ action }) => /publish/.test(action) && !/draft/.test(action));
      assert.equal(events.filter(({ subject }) => String(subject).includes(next)).length, 1);
    },
    'its text is kept for good': ({ outside }) => {
      const versions = outside.objects[`AgreementContents/${contentKey(next, 'en', contentHash)}`] as unknown as Row[];
      assert.equal(versions.at(-1)?.hold, true);
    },
  },
};
