import assert from 'node:assert/strict';
import { addDays } from '../../../functions/sleep/rules/dates.ts';
import { isOpen } from '../../../lib/explore/insisting.ts';
import { type Call, type End, faultNames, type Row, type Scenario, type SetUp } from '../../../lib/explore/scenario.ts';
import { patient, physician } from '../../explorer/people.ts';
import { otherPhysician, patientAtSite } from '../../questionnaire-responses/explored/site.ts';
import { codeOf, entry, lastNight, night, signRows, windowRows } from './diary.ts';

/** Physicians decide about a patient's sleep window while the patient writes that something happened at the wheel. */

/** Follows from the set-up, which is the same in each run. */
export const proposed = { proposalId: '' };

const ofPatient = { params: { userId: patient.userId } };
/** The patient has answered nothing. */
const confirmNotAnswered = ['ess', 'phq-9'];

export async function fiveNights(setUp: SetUp): Promise<void> {
  await patientAtSite(setUp);
  for (let index = 4; index >= 0; index -= 1) {
    const date = addDays(lastNight, -index);
    await setUp.call(patient, 'putSleepEntry', entry(date, night(date)));
  }
  const { body } = await setUp.call(physician, 'readSleepWindowOfPatient', ofPatient);
  proposed.proposalId = (body as unknown as { proposal: { proposalId: string } }).proposal.proposalId;
}

const release = () => ({ ...ofPatient, body: { proposalId: proposed.proposalId, confirmNotAnswered } });

/** The latest nights and signs are less than a megabyte, so no page of them is short. */
const faults = faultNames.filter((name) => name !== 'short-page');

const noddingOff: Scenario['clients'][string] = {
  as: patient,
  does: ({ insist }) =>
    insist(
      'putSleepEntry',
      entry(lastNight, night(lastNight, { noddedOff: true, recordedAt: '2026-03-01T11:30:00.000Z' })),
    ),
};

/** Whether the patient's entry may have been there when the call ended. */
function mayHaveNodded({ calls }: End, { ended }: Call): boolean {
  return calls.some(({ operation, begun }) => operation === 'putSleepEntry' && begun < ended);
}

function answeredWindows({ calls }: End): Call[] {
  return calls.filter(({ operation, answer }) => /^release(Own)?SleepWindow$/.test(operation) && answer.status === 200);
}

export const commonInvariants: Scenario['invariants'] = {
  'decisions are numbered, each number once': (end) => {
    const rows = windowRows(end);
    assert.deepEqual(
      rows.map(({ number, sequence }) => [number, sequence]),
      rows.map((_, index) => [String(index + 1).padStart(4, '0'), index + 1]),
    );
  },
  'the stored window is the one of the answer': (end) => {
    for (const { answer, client } of answeredWindows(end)) {
      const { sequence, minutes, releasedAt, from } = answer.body;
      const row = windowRows(end).find((each) => each.sequence === sequence);
      assert.deepEqual(
        { minutes: row?.minutes, releasedAt: row?.releasedAt, from: row?.from, isWithdrawn: row?.isWithdrawn },
        { minutes, releasedAt, from, isWithdrawn: false },
        client,
      );
    }
  },
  'the run of windows is listed as long as nobody has withdrawn it': (end) => {
    const [first] = windowRows(end);
    const isRunning = first !== undefined && windowRows(end).at(-1)?.isWithdrawn === false;
    assert.deepEqual(
      end.rows('SleepWindowRuns').map(({ userId, startedOn }) => ({ userId, startedOn })),
      isRunning ? [{ userId: patient.userId, startedOn: first.startedOn }] : [],
    );
  },
  'each decision has its event, and there is no other': (end) => {
    const wanted = windowRows(end).map(({ userId, sequence, releasedAt, isWithdrawn, replaces }) =>
      isWithdrawn
        ? { userId, sequence: replaces, withdrawnAt: releasedAt }
        : { userId, sequence, releasedAt, ...(replaces !== null && { replaces }) },
    );
    const told = end.outside.events.map(({ detail }) => JSON.stringify(detail, Object.keys(detail).sort()));
    const sorted = wanted.map((detail) => JSON.stringify(detail, Object.keys(detail).sort()));
    assert.deepEqual([...new Set(told)].sort(), sorted.sort());
  },
};

const windowInvariants: Scenario['invariants'] = {
  ...commonInvariants,
  'the sign that the patient wrote is remembered, once': (end) => {
    assert.equal(end.calls.filter(({ client }) => client === 'phone').at(-1)?.answer.status, 200);
    assert.equal(end.changes('SleepinessSigns').length, 1);
    assert.equal(signRows(end).length, 1);
  },
  'a window whose decision did not know the sign is not to be followed': async (end) => {
    const last = windowRows(end).at(-1);
    const { status, tonight } = (await end.call(patient, 'readSleepWindow')).body as unknown as Row;
    if (!last || last.isWithdrawn) {
      assert.equal(status, 'none');
      return;
    }
    const isKnown = last.sleepyAt !== null && last.sleepyAt >= signRows(end)[0]?.noddedOffAt;
    assert.equal(status, isKnown ? 'active' : 'suspended');
    if (!isKnown) assert.equal(tonight.inBedAt, null);
  },
  'who decided is in the access log of the patient': ({ rows, calls }) => {
    for (const { client, answer } of calls) {
      const by = { 'physician A': physician, 'physician B': otherPhysician }[client]?.userId;
      if (by === undefined || answer.status !== 200) continue;
      assert.ok(rows('AccessLog').some((look) => look.by === by && look.userId === patient.userId));
    }
  },
};

export const windowReleased: Scenario = {
  name: 'window-released',
  domain: 'sleep',
  says: 'Two physicians release the same proposal while the patient writes into the diary that nodding off was close at the wheel.',
  setUp: fiveNights,
  clients: {
    'physician A': { as: physician, does: ({ insist }) => insist('releaseSleepWindow', release()) },
    'physician B': { as: otherPhysician, does: ({ insist }) => insist('releaseSleepWindow', release()) },
    phone: noddingOff,
  },
  consumers: ['publishSleepWindowEvents'],
  faults: { only: faults },
  clockMoves: [-5000, 60_000],
  invariants: {
    ...windowInvariants,
    'one window at most is released, and both physicians get the same': (end) => {
      assert.ok(windowRows(end).length <= 1);
      const told = answeredWindows(end).map(({ answer }) => JSON.stringify(answer.body));
      assert.ok(new Set(told).size <= 1);
      if (told.length > 0) assert.equal(windowRows(end).length, 1);
    },
    'a physician is refused only after the patient has written something': (end) => {
      for (const call of end.calls) {
        if (call.operation !== 'releaseSleepWindow' || isOpen(call) || call.answer.status === 200) continue;
        assert.match(codeOf(call), /^SLEEP_WINDOW_(CHANGED|SUSPENDED)$/);
        assert.ok(mayHaveNodded(end, call), `${call.client} got ${codeOf(call)} for nothing`);
        // The times of a window that is suspended are not told.
        if (codeOf(call) === 'SLEEP_WINDOW_SUSPENDED') assert.equal(windowRows(end).length, 1);
      }
    },
  },
};

export const windowReplaced: Scenario = {
  name: 'window-replaced',
  domain: 'sleep',
  says: 'One physician replaces a sleep window while another one withdraws it and the patient writes that nodding off was close at the wheel.',
  setUp: async (setUp) => {
    await fiveNights(setUp);
    await setUp.call(physician, 'releaseSleepWindow', release());
    await setUp.settle();
  },
  clients: {
    'physician A': {
      as: physician,
      does: ({ insist }) =>
        insist('releaseSleepWindow', { ...ofPatient, body: { replaces: 1, minutes: 400, confirmNotAnswered } }),
    },
    'physician B': {
      as: otherPhysician,
      does: ({ insist }) => insist('withdrawSleepWindow', { ...ofPatient, body: { sequence: 1 } }),
    },
    phone: noddingOff,
  },
  consumers: ['publishSleepWindowEvents'],
  faults: { only: faults },
  clockMoves: [-5000, 60_000],
  invariants: {
    ...windowInvariants,
    'one of the two decides, and the error for the other one says why': (end) => {
      const [, second] = windowRows(end);
      const last = (client: string) => end.calls.filter((call) => call.client === client).at(-1) as Call;
      const [replacing, withdrawing] = [last('physician A'), last('physician B')];
      assert.equal(windowRows(end).length, 2);
      assert.equal(second?.replaces, 1);
      assert.equal(withdrawing.answer.status, second?.isWithdrawn ? 200 : 409);
      if (!second?.isWithdrawn) {
        assert.equal(codeOf(withdrawing), 'SLEEP_WINDOW_CHANGED');
        // A repetition does not tell the times of a window that is suspended by now.
        if (replacing.answer.status !== 200) assert.equal(codeOf(replacing), 'SLEEP_WINDOW_SUSPENDED');
        return;
      }
      assert.equal(withdrawing.answer.body.withdrawnAt, second.releasedAt);
      assert.equal(replacing.answer.status, 409);
      if (codeOf(replacing) === 'SLEEP_WINDOW_CHANGED') return;
      assert.equal(codeOf(replacing), 'SLEEP_SUSPENSION_NOT_CONFIRMED');
      assert.ok(mayHaveNodded(end, replacing), 'the patient has written nothing');
    },
  },
};
