import assert from 'node:assert/strict';
import { isOpen } from '../../../lib/explore/insisting.ts';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { Call, End, Scenario } from '../../../lib/explore/scenario.ts';
import { admin, otherAdmin, patient } from '../../explorer/people.ts';
import { firstVersion, headRow, publishing, questionnaireId, versionRows } from './evening-check.ts';

/** Two administrators publish the same version of a questionnaire with different contents, and then each a further one. */

/** The title of each version, and which one is current. */
type Register = { readonly titles: Readonly<Record<string, string>>; readonly current: string };

const titleIn = (body: unknown) => (body as { title?: { en: string } }).title?.en ?? '';

function published(call: Call) {
  const { answer, request } = call;
  const version = String(request.params?.version);
  const title = titleIn(request.body);
  return observed<Register>(call, (state) => {
    const only = (isRight: boolean, next: Register) => (isOpen(call) || isRight ? next : undefined);
    const known = state.titles[version];
    if (known !== undefined && known !== title) return only(answer.status === 409, state);
    const isRight = answer.status === 200 && titleIn(answer.body) === title && answer.body.version === version;
    if (known !== undefined) return only(isRight, state);
    return only(isRight, { titles: { ...state.titles, [version]: title }, current: version });
  });
}

function read(call: Call) {
  const { answer } = call;
  return observed<Register>(call, (state) => {
    const isCurrent = answer.body.version === state.current && titleIn(answer.body) === state.titles[state.current];
    return isOpen(call) || (answer.status === 200 && isCurrent) ? state : undefined;
  });
}

function explains(end: End): boolean {
  const history = end.calls.map((call) => (call.operation === 'publishQuestionnaire' ? published(call) : read(call)));
  const stored = new Map([...versionRows(end)].map(([version, { title }]) => [version, title.en]));
  const initial = { titles: { '1': 'First' }, current: '1' };
  return isLinearizable<Register>(initial, history, ({ titles, current }) => {
    const isSame = Object.keys(titles).length === stored.size && current === headRow(end)?.version;
    return isSame && Object.entries(titles).every(([version, title]) => stored.get(version) === title);
  });
}

export const versionPublished: Scenario = {
  name: 'version-published',
  domain: 'questionnaires',
  says: 'Two administrators publish the same version of a questionnaire with different contents, then each a further one, and a patient reads the current one.',
  setUp: firstVersion,
  clients: {
    'admin A': {
      as: admin,
      does: async ({ insist }) => {
        await insist('publishQuestionnaire', publishing('2', 'Second of A'));
        await insist('publishQuestionnaire', publishing('3', 'Third'));
      },
    },
    'admin B': {
      as: otherAdmin,
      does: async ({ insist }) => {
        await insist('publishQuestionnaire', publishing('2', 'Second of B'));
        await insist('publishQuestionnaire', publishing('4', 'Fourth'));
      },
    },
    phone: {
      as: patient,
      does: async ({ insist }) => {
        await insist('readQuestionnaire', { params: { questionnaireId } });
        await insist('readQuestionnaire', { params: { questionnaireId } });
      },
    },
  },
  clockMoves: [-5000, 60_000],
  invariants: {
    'the history is linearizable, and the version that was published last is the current one': (end) =>
      assert.equal(explains(end), true),
    'a version is never changed': (end) => {
      for (const { answer, operation, request } of end.calls) {
        if (operation !== 'publishQuestionnaire' || answer.status !== 200) continue;
        const stored = versionRows(end).get(String(request.params?.version));
        assert.equal(stored?.title.en, titleIn(request.body));
      }
    },
    'each version has one audit event, and its place in the count': (end) => {
      const subjects = end.rows('AuditEvents').map(({ subject }) => String(subject));
      const wanted = [...versionRows(end).keys()].map((version) => `questionnaire/${questionnaireId}/${version}`);
      assert.deepEqual(subjects.sort(), wanted.sort());
      assert.equal(headRow(end)?.revision, versionRows(end).size);
    },
    'who reads afterwards gets the last one': async (end) => {
      const { body } = await end.call(patient, 'readQuestionnaire', { params: { questionnaireId } });
      assert.equal(body.version, headRow(end)?.version);
      assert.equal(titleIn(body), versionRows(end).get(String(body.version))?.title.en);
    },
  },
};

/** There nothing else that each publication changes keeps them apart. */
export const testVersionPublished: Scenario = {
  ...versionPublished,
  name: 'test-version-published',
  says: 'Two administrators publish versions of a questionnaire at once in an environment for tests, where none needs wording.',
  variables: { ENVIRONMENT: 'dev' },
};
