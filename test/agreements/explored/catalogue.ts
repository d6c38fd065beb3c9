import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { contentKey } from '../../../functions/agreements/rules/content.ts';
import type { End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { drawnClients, type Operation } from '../../explorer/drawn.ts';
import { admin, otherAdmin } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';

/** Two administrators make agreements, and draft, publish and withdraw versions of one: what each does, the seed draws. */

const text = Buffer.from('We write to you of what is new.');
const contentHash = createHash('sha256').update(text).digest('hex');
const versionIds = ['marketing-2.0', 'marketing-3.0'];
const agreementIds = ['newsletter', 'survey'];

const draft = (agreementId: string, versionId: string) => ({
  params: { agreementId },
  body: {
    versionId,
    label: '2.0',
    changeType: 'major',
    defaultLocale: 'en',
    locales: { en: { title: 'Text', contentUrl: 'https://example.com/text', contentHash } },
  },
});
const agreement = (agreementId: string, application: string) => ({
  body: { agreementId, application, title: agreementId, isRequired: false, position: 9 },
});

/** @param by one's keys are nobody else's */
const acts = (by: string): Operation[] => {
  const once = (key: string, request: object) => ({ ...request, headers: { 'Idempotency-Key': `${by}-${key}` } });
  return [
    ...agreementIds.flatMap((agreementId) => [
      ...['sleepcare', 'medinfo'].map((application) => {
        const request = once(`${agreementId}-${application}`, agreement(agreementId, application));
        return { operation: 'createAgreement', request };
      }),
      // One version id for both: only one of them has it.
      { operation: 'draftAgreementVersion', request: once(`v-${agreementId}`, draft(agreementId, 'first-1.0')) },
    ]),
    ...versionIds.flatMap((versionId) =>
      ['publishAgreementVersion', 'withdrawAgreementVersion'].map((operation) => {
        return { operation, request: { params: { versionId } } };
      }),
    ),
  ];
};

const named = ({ application }: Row) => application === '*';
const writtenIn = (end: End, table: string) => end.written().filter((write) => write.table === table);
const isCatalogue = ({ catalogueKey }: Row) => String(catalogueKey).startsWith('catalogue#');
export const catalogueDrawn: Scenario = {
  name: 'catalogue-drawn',
  domain: 'agreements',
  says: 'Two administrators make agreements of the same names, and draft, publish and withdraw versions: three to eight changes each, which the seed draws.',
  setUp: async (given) => {
    await catalogues(given);
    for (const versionId of versionIds) {
      const headers = { 'Idempotency-Key': versionId };
      await given.call(admin, 'draftAgreementVersion', { ...draft('marketing', versionId), headers });
    }
    for (const versionId of [...versionIds, 'first-1.0']) {
      const version = { id: 'text', body: text, contentType: 'text/plain; charset=utf-8', at: given.now() };
      given.outside.objects[`AgreementContents/${contentKey(versionId, 'en', contentHash)}`] = [version];
    }
  },
  ...drawnClients({
    'an administrator': { as: admin, operations: acts('one') },
    'another administrator': { as: otherAdmin, operations: acts('other') },
  }),
  clockMoves: [-3000, 60_000],
  invariants: {
    'each change moves the revision of its catalogue by one, and has its audit event': (end) => {
      const moved = writtenIn(end, 'Agreements').filter(({ after }) => after && named(after) && isCatalogue(after));
      for (const { before, after } of moved) assert.equal(after?.revision, (before?.revision ?? 0) + 1);
      const events = writtenIn(end, 'AuditEvents').filter(({ before }) => before === null);
      assert.equal(events.length, moved.length);
    },
    'a name is of one catalogue, for good': (end) => {
      for (const { before, after } of writtenIn(end, 'Agreements'))
        if (before && named(before) && !isCatalogue(before)) assert.deepEqual(after, before);
      for (const agreementId of agreementIds) {
        const own = end.rows('Agreements').filter((row) => row.catalogueKey === `agreement#${agreementId}`);
        const owners = own.filter((row) => !named(row)).map(({ application }) => application);
        assert.deepEqual(
          owners,
          own.filter(named).map(({ owner }) => owner),
        );
      }
      const first = end
        .rows('Agreements')
        .filter(({ versionId, application }) => versionId === 'first-1.0' && application !== '*');
      assert.ok(first.length <= 1);
    },
    'a version is published once and withdrawn once, and every answer has that time': (end) => {
      for (const { before, after } of writtenIn(end, 'Agreements'))
        for (const time of ['publishedAt', 'withdrawnAt'])
          if (before?.[time] && after) assert.equal(after[time], before[time]);
      for (const versionId of versionIds) {
        const of = (operation: string) =>
          end.calls.filter((call) => call.operation === operation && call.request.params?.versionId === versionId);
        for (const [operation, time] of [
          ['publishAgreementVersion', 'publishedAt'],
          ['withdrawAgreementVersion', 'withdrawnAt'],
        ] as const) {
          const done = of(operation).filter(({ answer }) => answer.status === 200);
          assert.ok(new Set(done.map(({ answer }) => answer.body[time])).size <= 1);
        }
      }
    },
  },
};
