import assert from 'node:assert/strict';
import { isOpen } from '../../../lib/explore/insisting.ts';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { Call, End, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { codeOf, course, progressRow, published, quizId, textId, toldCompletions, unitIn } from './course.ts';

/** Two phones report how far the patient is in a unit, and complete it; meanwhile another unit is begun. */

type Register = {
  readonly position: number;
  readonly percent: number;
  readonly completedAt: string | null;
  /** How far the other unit is, which is in the same row. */
  readonly other: number;
};

const shows = ({ position, percent, completedAt }: Register, progress: unknown) => {
  const shown = progress as { position: number; percent: number; completedAt: string | null };
  return shown.position === position && shown.percent === percent && shown.completedAt === completedAt;
};

function moved(call: Call) {
  const { answer, request } = call;
  const sent = request.body as { position: number; percent: number };
  return observed<Register>(call, (state) => {
    if (request.params?.unitId === quizId) {
      const isRight = answer.status === 200 && answer.body.position === sent.position;
      return isOpen(call) || isRight ? { ...state, other: sent.position } : undefined;
    }
    const after = {
      ...state,
      position: Math.max(state.position, sent.position),
      percent: Math.max(state.percent, sent.percent),
    };
    const outcome = sent.position < after.position || sent.percent < after.percent ? 'superseded' : 'stored';
    const isRight = answer.status === 200 && answer.body.outcome === outcome && shows(after, answer.body);
    return isOpen(call) || isRight ? after : undefined;
  });
}

function completed(call: Call) {
  const { answer, request } = call;
  const { recordedAt } = request.body as { recordedAt: string };
  return observed<Register>(call, (state) => {
    const { completedAt } = state;
    const at = completedAt === null || recordedAt < completedAt ? recordedAt : completedAt;
    const after = { ...state, percent: 100, completedAt: at };
    return isOpen(call) || (answer.status === 200 && shows(after, answer.body.progress)) ? after : undefined;
  });
}

function explains(end: End): boolean {
  const history = end.calls.map((call) => (call.operation === 'completeUnit' ? completed(call) : moved(call)));
  const unit = unitIn(end, textId);
  const other = unitIn(end, quizId)?.position ?? 0;
  const initial = { position: 0, percent: 0, completedAt: null, other: 0 };
  return isLinearizable<Register>(initial, history, (state) => shows(state, unit) && state.other === other);
}

const params = { unitId: textId };
const earliest = '2026-03-01T10:30:00.000Z';

export const unitProgress: Scenario = {
  name: 'unit-progress',
  domain: 'learning',
  says: 'Two phones report progress of the same unit and complete it, in whatever order they arrive, while a tablet begins another one.',
  setUp: async ({ put }) => put('Courses', ...published(course('1', { right: 'a' }), 1)),
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('putUnitProgress', { params, body: { position: 10, percent: 80 } });
        await insist('completeUnit', { params, body: { recordedAt: '2026-03-01T11:00:00.000Z' } });
      },
    },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('putUnitProgress', { params, body: { position: 30, percent: 20 } });
        await insist('completeUnit', { params, body: { recordedAt: earliest } });
      },
    },
    tablet: {
      as: patient,
      does: ({ insist }) =>
        insist('putUnitProgress', { params: { unitId: quizId }, body: { position: 5, percent: 5 } }),
    },
  },
  consumers: ['publishLearningEvents'],
  clockMoves: [-5000, 60_000],
  invariants: {
    'the history is linearizable': (end) => assert.equal(explains(end), true),
    'everybody is answered in the end': ({ calls }) => {
      for (const call of calls) assert.ok(isOpen(call) || call.answer.status === 200, codeOf(call));
      for (const client of ['phone A', 'phone B', 'tablet'])
        assert.equal(calls.filter((call) => call.client === client).at(-1)?.answer.status, 200);
    },
    'the greatest progress stays, and the earliest time of the completion': (end) => {
      const { position, percent, completedAt } = unitIn(end, textId) ?? {};
      assert.deepEqual({ position, percent, completedAt }, { position: 30, percent: 100, completedAt: earliest });
      assert.equal(unitIn(end, quizId)?.position, 5);
    },
    'the row counts its writes, and a repetition writes nothing': (end) => {
      const changes = end.changes('LearningProgress');
      assert.equal(progressRow(end)?.revision, changes.length);
      // Each of the five requests changes something once, at most.
      assert.ok(changes.length <= 5, `${changes.length} writes`);
    },
    'the first completion has one event': (end) => {
      const isDone = ({ units }: { units?: Record<string, { completedAt: string | null }> }) =>
        units?.[textId]?.completedAt ?? null;
      const first = end.changes('LearningProgress').find(({ after }) => isDone(after ?? {}) !== null);
      const completedAt = isDone(first?.after ?? {});
      assert.deepEqual(toldCompletions(end), [`LearningUnitCompleted ${patient.userId} ${textId} ${completedAt}`]);
    },
  },
};
