import assert from 'node:assert/strict';
import { isOpen } from '../../../lib/explore/insisting.ts';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { Call, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { codeOf, entry, entryRow, lastNight, night, signRows } from './diary.ts';

/** Two phones write the diary of one night; the one that was offline has an older entry, which says that the patient nodded off. */

const at = (time: string) => `2026-03-01T${time}:00.000Z`;
const older = night(lastNight, { quality: 1, noddedOff: true, recordedAt: at('08:00') });
const deletedAt = at('08:30');
const newer = night(lastNight, { quality: 3, recordedAt: at('09:00') });
const edited = night(lastNight, { quality: 5, recordedAt: at('09:10') });

/** What is stored of the night; a deletion is a write, too. */
type Register = {
  readonly recordedAt: string;
  /** Null where it is deleted. */
  readonly quality: number | null;
  readonly revision: number;
} | null;

function put(call: Call) {
  const { answer, request } = call;
  const { quality, recordedAt } = request.body as { quality: number; recordedAt: string };
  const ifMatch = request.headers?.['If-Match'];
  return observed<Register>(call, (state) => {
    const only = (isRight: boolean, next: Register) => (isOpen(call) || isRight ? next : undefined);
    const shows = (outcome: string, { quality: there, revision }: NonNullable<Register>) => {
      const { body, etag } = answer;
      const isShown = body.outcome === outcome && body.quality === there && etag === `"${revision}"`;
      return answer.status === 200 && isShown;
    };
    if (state?.quality === quality && state.recordedAt === recordedAt) return only(shows('stored', state), state);
    const isSeen = state !== null && state.quality !== null && ifMatch === `"${state.revision}"`;
    if (ifMatch !== undefined && !isSeen) return only(answer.status === 412, state);
    const after = { recordedAt, quality, revision: (state?.revision ?? 0) + 1 };
    if (ifMatch === undefined && state !== null && state.recordedAt > recordedAt) {
      if (state.quality === null) return only(codeOf(call) === 'SLEEP_ENTRY_NOT_FOUND', state);
      return only(shows('superseded', state), state);
    }
    return only(shows('stored', after), after);
  });
}

function deleted(call: Call) {
  const { answer, request } = call;
  const recordedAt = String(request.query?.recordedAt);
  return observed<Register>(call, (state) => {
    const isLater = state === null || state.recordedAt < recordedAt;
    const isAlready = state?.quality === null && state.recordedAt === recordedAt;
    const after = isLater ? { recordedAt, quality: null, revision: (state?.revision ?? 0) + 1 } : state;
    const isGone = isLater || isAlready;
    const outcome = isGone ? 'stored' : 'superseded';
    const isRight = answer.status === 200 && answer.body.deleted === isGone && answer.body.outcome === outcome;
    return isOpen(call) || isRight ? after : undefined;
  });
}

function read(call: Call) {
  return observed<Register>(call, (state) => {
    const { status, body, etag } = call.answer;
    const isRight =
      state === null || state.quality === null
        ? status === 404
        : status === 200 && body.quality === state.quality && etag === `"${state.revision}"`;
    return isOpen(call) || isRight ? state : undefined;
  });
}

const models: Readonly<Record<string, typeof read>> = {
  putSleepEntry: put,
  deleteSleepEntry: deleted,
  readSleepEntry: read,
};

function explains(end: End): boolean {
  const history = end.calls.map((call) => models[call.operation]?.(call)).filter((each) => each !== undefined);
  const { content, recordedAt, revision } = entryRow(end, lastNight) as Row;
  return isLinearizable<Register>(null, history, (state) => {
    const isSame = state?.recordedAt === recordedAt && state?.revision === revision;
    return isSame && state?.quality === (content?.quality ?? null);
  });
}

export const oneNight: Scenario = {
  name: 'one-night',
  domain: 'sleep',
  says: 'Two phones write the diary of the same night, one of them late and with an older entry, and it is deleted and changed meanwhile.',
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('putSleepEntry', entry(lastNight, older));
        await insist('deleteSleepEntry', { params: { date: lastNight }, query: { recordedAt: deletedAt } });
      },
    },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        const { etag } = await insist('putSleepEntry', entry(lastNight, newer));
        await insist('putSleepEntry', entry(lastNight, edited, etag));
      },
    },
    tablet: { as: patient, does: ({ insist }) => insist('readSleepEntry', { params: { date: lastNight } }) },
  },
  consumers: ['publishSleepWindowEvents'],
  clockMoves: [-5000, 60_000],
  invariants: {
    'the history is linearizable, and each ETag is that of the entry that was answered': (end) =>
      assert.equal(explains(end), true),
    'the entry that was recorded last stays, in whatever order they arrive': (end) => {
      const row = entryRow(end, lastNight);
      assert.deepEqual(
        { quality: row?.content?.quality, recordedAt: row?.recordedAt, isDeleted: row?.isDeleted },
        { quality: 5, recordedAt: edited.recordedAt, isDeleted: false },
      );
      assert.notEqual(row?.night, null);
    },
    'an older entry does not make the phone with the later one look again': ({ calls }) => {
      for (const call of calls.filter(({ client }) => client === 'phone B'))
        assert.ok(isOpen(call) || call.answer.status === 200, `${call.answer.status} ${codeOf(call)}`);
    },
    'that the patient nodded off is remembered, once': (end) => {
      assert.deepEqual(
        signRows(end).map(({ date }) => date),
        [lastNight],
      );
      assert.equal(end.changes('SleepinessSigns').length, 1);
    },
    'no event has what the patient wrote': ({ outside }) => assert.deepEqual(outside.events, []),
  },
};
