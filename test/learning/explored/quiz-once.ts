import assert from 'node:assert/strict';
import { isOpen } from '../../../lib/explore/insisting.ts';
import type { Call, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { codeOf, course, published, quizId, toldCompletions, unitIn } from './course.ts';

/** Two phones complete a quiz with different answers, while a version of the course is published in which another answer is right. */

const params = { unitId: quizId };
const answers = (value: string) => [{ questionId: 'q', values: [value] }];
const right: Readonly<Record<string, string>> = { '1': 'a', '2': 'b' };

type Result = {
  readonly version: string;
  readonly score: number;
  readonly questions: readonly { readonly correctValues: readonly string[] }[];
};

function stored(end: End) {
  const { quiz, completedAt } = unitIn(end, quizId) as Row;
  return {
    version: String(quiz.version),
    value: String(quiz.answers[0].values[0]),
    score: Number(quiz.score),
    completedAt,
  };
}

function completions({ calls }: End): Call[] {
  return calls.filter(({ operation, answer }) => operation === 'completeUnit' && answer.status === 200);
}

/** The phone that got its answers in. */
function firstPhone(end: End): string {
  return stored(end).value === 'a' ? 'phone A' : 'phone B';
}

export const quizOnce: Scenario = {
  name: 'quiz-once',
  domain: 'learning',
  says: 'Two phones complete a quiz with different answers while a version of the course is published in which another answer is right.',
  setUp: async ({ put }) => put('Courses', ...published(course('1', { right: 'a' }), 1)),
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        // It has the package of the first version.
        await insist('completeUnit', { params, body: { answers: answers('a'), version: '1' } });
      },
    },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('completeUnit', { params, body: { answers: answers('b') } });
        await insist('readUnit', { params });
      },
    },
    operator: {
      as: patient,
      does: async ({ call, put }) => {
        await put('Courses', ...published(course('2', { right: 'b' }), 2));
        // What is published is there from now on.
        await call('listCourses');
      },
    },
  },
  consumers: ['publishLearningEvents'],
  clockMoves: [-5000, 60_000],
  invariants: {
    'the answers that arrived first stay, with the score of their version': (end) => {
      const { version, value, score } = stored(end);
      assert.equal(score, right[version] === value ? 1 : 0);
      if (value === 'a') assert.equal(version, '1');
      const writes = end.changes('LearningProgress').filter(({ after }) => after?.units[quizId]?.quiz);
      for (const { after } of writes) assert.equal(after?.units[quizId].quiz.answers[0].values[0], value);
    },
    'every phone gets the result of the stored answers, and whether they are its own': (end) => {
      const { version, value, score } = stored(end);
      for (const { client, answer } of completions(end)) {
        const result = answer.body.result as unknown as Result;
        assert.deepEqual({ version: result.version, score: result.score }, { version, score });
        assert.deepEqual(result.questions[0]?.correctValues, [right[version]]);
        const own = client === 'phone A' ? 'a' : 'b';
        assert.equal(answer.body.outcome, own === value ? 'stored' : 'superseded');
      }
    },
    'every phone is answered in the end': ({ calls }) => {
      for (const call of calls) assert.ok(isOpen(call) || call.answer.status === 200, codeOf(call));
      for (const client of ['phone A', 'phone B'])
        assert.equal(calls.filter((call) => call.client === client).at(-1)?.answer.status, 200);
    },
    'what was published before a request is the current version for it': (end) => {
      const listed = end.calls.filter(({ operation }) => operation === 'listCourses');
      for (const { answer } of listed.filter((call) => !isOpen(call))) {
        const [item] = answer.body.items as unknown as Row[];
        assert.equal(item?.version, '2');
      }
      // The list began after the publication; so did whatever began after the list.
      const since = Math.min(...listed.map(({ begun }) => begun), Number.POSITIVE_INFINITY);
      for (const { operation, begun, answer } of end.calls)
        if (operation === 'readUnit' && answer.status === 200 && begun > since) assert.equal(answer.body.version, '2');
      const own = end.calls.filter(({ client, operation }) => client === 'phone B' && operation === 'completeUnit');
      if (firstPhone(end) === 'phone B' && own.every(({ begun }) => begun > since))
        assert.equal(stored(end).version, '2');
    },
    'the completion has one event': (end) => {
      const first = end.changes('LearningProgress').find(({ after }) => after?.units[quizId]?.completedAt);
      const completedAt = first?.after?.units[quizId].completedAt;
      assert.deepEqual(toldCompletions(end), [`LearningUnitCompleted ${patient.userId} ${quizId} ${completedAt}`]);
    },
  },
};
