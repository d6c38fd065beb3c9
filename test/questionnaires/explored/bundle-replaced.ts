import assert from 'node:assert/strict';
import type { End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { admin, otherAdmin, patient } from '../../explorer/people.ts';
import { type Administered, administeredInvariants, replaces } from '../../mobile-settings/explored/administered.ts';
import { firstVersion, headRow, publishing, questionnaireId, versionRows } from './evening-check.ts';

/** Bundles: two administrators write the same one; one asks for a questionnaire whose wording another one takes away. */

const bundleId = 'evening';

const bundle: Administered = {
  put: 'putQuestionnaireBundle',
  read: 'readQuestionnaireBundle',
  params: { bundleId },
  bodyOf: (title) => ({ title: { en: title }, questionnaireIds: [questionnaireId], programmeId: null, windows: [] }),
  valueOf: ({ title }) => String(title.en),
  rowOf: ({ rows }) => rows('Questionnaires').find(({ part, name }) => part === 'bundles' && name === bundleId),
  subject: `questionnaire-bundle/${bundleId}`,
};

async function shownTo(end: End): Promise<string | undefined> {
  const { items } = (await end.call(patient, 'listDueBundles')).body as unknown as { items: Row[] };
  return items.find((item) => item.bundleId === bundleId)?.title.en as string | undefined;
}

export const bundleReplaced: Scenario = {
  name: 'bundle-replaced',
  domain: 'questionnaires',
  says: 'Two administrators write the same bundle of questionnaires at once, and a patient asks what is due.',
  setUp: firstVersion,
  clients: {
    'admin A': {
      as: admin,
      does: async (client) => {
        const { etag } = await replaces(client, bundle, 'First of A');
        if (etag !== null) await replaces(client, bundle, 'Second of A', { 'If-Match': etag });
      },
    },
    'admin B': { as: otherAdmin, does: (client) => replaces(client, bundle, 'Of B') },
    phone: { as: patient, does: ({ insist }) => insist('listDueBundles') },
  },
  // It only lets the time pass that a function keeps bundles for.
  finally: ['watchFlags'],
  clockMoves: [6000],
  invariants: {
    ...administeredInvariants(bundle),
    'a patient sees the last bundle once the kept ones are old': async (end) =>
      assert.equal(await shownTo(end), bundle.rowOf(end)?.title.en),
  },
};

export const bundleWording: Scenario = {
  name: 'bundle-wording',
  domain: 'questionnaires',
  says: 'One administrator makes a programme ask for a questionnaire while another one publishes a version of it without wording.',
  setUp: firstVersion,
  clients: {
    'admin A': {
      as: admin,
      does: async ({ insist }) => {
        const title = { en: 'Evening', de: 'Abend' };
        const windows = [{ windowId: 'start', fromDay: 0, toDay: 7 }];
        const body = { title, questionnaireIds: [questionnaireId], programmeId: 'insomnia-basic', windows };
        await insist('putQuestionnaireBundle', { params: { bundleId }, headers: { 'If-None-Match': '*' }, body });
      },
    },
    'admin B': {
      as: otherAdmin,
      does: ({ insist }) => insist('publishQuestionnaire', publishing('2', 'Second', { wording: 'placeholder' })),
    },
  },
  exhaustive: { faults: 1, most: 20_000 },
  invariants: {
    'no programme asks for a questionnaire without wording': (end) => {
      const current = versionRows(end).get(String(headRow(end)?.version));
      if (current?.wording === 'placeholder') assert.equal(bundle.rowOf(end), undefined);
    },
    'who is refused is refused for a reason': (end) => {
      for (const { answer, operation } of end.calls) {
        if (![400, 409, 412].includes(answer.status)) continue;
        if (operation === 'publishQuestionnaire') assert.notEqual(bundle.rowOf(end), undefined);
        else assert.ok(answer.status === 412 || headRow(end)?.version === '2', JSON.stringify(answer.body));
      }
    },
  },
};

const { setUp: _published, exhaustive: _all, ...wording } = bundleWording;

/** The row that keeps the two apart is not there yet. */
export const firstWording: Scenario = {
  ...wording,
  name: 'first-wording',
  says: 'An administrator publishes the first version of a questionnaire and makes a programme ask for it, while another one publishes a version without wording.',
  clients: {
    ...wording.clients,
    'admin A': {
      as: admin,
      does: async (client) => {
        await client.insist('publishQuestionnaire', publishing('1', 'First'));
        await wording.clients['admin A']?.does(client);
      },
    },
  },
};
