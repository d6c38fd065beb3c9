import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Call, End, Invariant, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import {
  emailOf,
  inThePool,
  livesInThePool,
  password,
  signedIn,
  signingIn,
  withoutConflict,
} from '../../auth/explored/people.ts';
import { patient } from '../../explorer/people.ts';

/** Codes by mail: each is used once, in its time, with five tries; and each mail is sent once. */

const email = emailOf(patient);
let code = '';
let token = '';

export function codeIn(text: string): string {
  return /\b(\d{6,10})\b/.exec(text)?.[1] ?? '';
}

async function anAccount(setUp: SetUp): Promise<void> {
  inThePool(setUp, patient);
  token = await signedIn(setUp, patient);
  assert.equal((await setUp.call(patient, 'readProfile')).status, 200);
}

async function aCode(setUp: SetUp): Promise<void> {
  await anAccount(setUp);
  assert.ok((await setUp.call(patient, 'forgotPassword', { body: { email } })).status < 300);
  await setUp.settle();
  code = codeIn(setUp.outside.mails.at(-1)?.text ?? '');
  assert.notEqual(code, '');
}

const resetting = (given: string, wanted: string) => ({ body: { email, code: given, password: wanted } });
const wrong = (number: number) => String((Number(code) + number) % 10 ** code.length).padStart(code.length, '0');
const isReset = ({ operation }: Call) => operation === 'resetPassword';
const isDone = (call: Call) => isReset(call) && call.answer.status === 200;
const wanted = ({ request }: Call) => (request.body as { password: string }).password;

/** A code's tries only ever fall, by one or to none. */
const triesFall: Invariant = ({ written }) => {
  for (const { table, before, after } of written()) {
    if (table !== 'MailRecords' || before?.triesLeft === undefined || after?.triesLeft === undefined) continue;
    if (before.mailId !== after.mailId) continue;
    assert.ok(after.triesLeft === before.triesLeft - 1 || after.triesLeft === 0);
    assert.ok(after.triesLeft >= 0);
  }
};

const passwordIsAnswered: Invariant = (end) => {
  const possible = end.calls.filter((call) => isReset(call) && (isDone(call) || !isAnswered(call))).map(wanted);
  const set = end.outside.users[patient.userId]?.password;
  assert.ok(set === password ? !end.calls.some(isDone) : possible.includes(set ?? ''), `${set}`);
};

const usedOnce: Invariant = async (end) => {
  const done = end.calls.filter(isDone);
  if (done.length === 0) return;
  const firstEnd = Math.min(...done.map(({ ended }) => ended));
  for (const call of done) assert.ok(call.begun < firstEnd, 'a code worked after it was used');
  const before = end.outside.users[patient.userId]?.password;
  const { status } = await end.call(patient, 'resetPassword', resetting(code, 'one-more-passphrase'));
  assert.equal(status, 400);
  assert.equal(end.outside.users[patient.userId]?.password, before);
};

const sessionsEnd: Invariant = (end) => {
  if (!end.calls.some(isDone)) return;
  assert.ok(!livesInThePool(end, token), 'the sessions of before are over');
  for (const { endedAt } of end.rows('Sessions')) assert.ok(endedAt);
  assert.ok(
    end.outside.mails.length > 1 ||
      (end.outside.queues.MailQueue ?? []).some(({ body }) => body.includes('password-changed')),
    'the owner is told',
  );
};

export const resetTwice: Scenario = {
  name: 'reset-code-twice',
  domain: 'mail',
  says: 'Two phones reset the password with the same code.',
  setUp: aCode,
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('resetPassword', resetting(code, 'the-first-passphrase')) },
    'phone B': { as: patient, does: ({ insist }) => insist('resetPassword', resetting(code, 'the-second-passphrase')) },
  },
  consumers: ['sendMail'],
  clockMoves: [-3000, 60_000],
  invariants: {
    'tries fall': triesFall,
    'the password is one that was answered': passwordIsAnswered,
    'a code is used once': usedOnce,
    'sessions end, and the owner is told': sessionsEnd,
    'the code that was sent works': ({ calls }) => {
      // Three tries may go to deaths and repetitions.
      assert.ok(calls.some(isDone) || calls.some((call) => !isAnswered(call)));
    },
  },
};

export const guessedCode: Scenario = {
  name: 'guessed-code',
  domain: 'mail',
  says: 'Two phones guess the code of a mail while its owner uses it.',
  setUp: aCode,
  clients: {
    'guesser A': {
      as: patient,
      does: async ({ call }) => {
        for (const number of [1, 2, 3]) await call('resetPassword', resetting(wrong(number), 'a-thief-s-passphrase'));
      },
    },
    'guesser B': {
      as: patient,
      does: async ({ call }) => {
        for (const number of [4, 5]) await call('resetPassword', resetting(wrong(number), 'a-thief-s-passphrase'));
      },
    },
    owner: { as: patient, does: ({ insist }) => insist('resetPassword', resetting(code, 'the-first-passphrase')) },
  },
  consumers: ['sendMail'],
  clockMoves: [-3000],
  invariants: {
    'tries fall': triesFall,
    'five tries are taken at most': ({ written }) => {
      const taken = written().filter(
        ({ table, before, after }) => table === 'MailRecords' && (after?.triesLeft ?? 0) < (before?.triesLeft ?? 0),
      );
      assert.ok(taken.length <= 5);
    },
    'a guess is refused': (end) => {
      for (const call of end.calls) {
        if (call.client !== 'owner' && isAnswered(call)) assert.equal(call.answer.status, 400);
      }
      assert.notEqual(end.outside.users[patient.userId]?.password, 'a-thief-s-passphrase');
    },
    'the owner is refused only after the last try': (end) => {
      const last = end.calls.filter(({ client }) => client === 'owner').at(-1);
      if (last?.answer.status !== 400) return;
      const row = end.rows('MailRecords').find(({ mailRecord }) => String(mailRecord).startsWith('code#'));
      assert.ok(!row || row.triesLeft === 0);
    },
    'the password is one that was answered': passwordIsAnswered,
    'a code is used once': usedOnce,
  },
};

export const lateCode: Scenario = {
  name: 'late-code',
  domain: 'mail',
  says: 'A code is used after its time, whether its row is still there or not.',
  setUp: async (setUp) => {
    await aCode(setUp);
    setUp.pass(86_400_000);
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('resetPassword', resetting(code, 'the-first-passphrase')) },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('resetPassword', resetting(code, 'the-second-passphrase'));
        await insist('issueTokens', signingIn(patient));
      },
    },
  },
  consumers: ['sendMail'],
  faults: { only: withoutConflict },
  clockMoves: [-3000],
  exhaustive: { faults: 0, most: 30_000 },
  invariants: {
    'a late code is refused': (end) => {
      for (const call of end.calls.filter((each) => isReset(each) && isAnswered(each))) {
        assert.equal(call.answer.status, 400);
      }
      assert.equal(end.outside.users[patient.userId]?.password, password);
    },
    'the old password still works': ({ calls }) => {
      const last = calls.filter(({ operation }) => operation === 'issueTokens').at(-1);
      if (last && isAnswered(last)) assert.equal(last.answer.status, 200);
    },
  },
};

const mailIds = ({ written }: End) =>
  new Set(
    written()
      .filter(({ table, after }) => table === 'MailRecords' && String(after?.mailRecord).startsWith('mail#'))
      .map(({ after }) => String(after?.mailRecord)),
  );

export const mailOnce: Scenario = {
  name: 'mail-once',
  domain: 'mail',
  says: 'Two phones ask for a code, and the queue delivers the mails twice.',
  setUp: anAccount,
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('forgotPassword', { body: { email } });
        await insist('forgotPassword', { body: { email } });
      },
    },
    'phone B': {
      as: patient,
      does: ({ insist }) => insist('forgotPassword', { body: { email: email.toUpperCase() } }),
    },
  },
  consumers: ['sendMail'],
  // A mail whose answer is lost, or whose sender dies after it, may come twice. No transaction has the row of a mail, so nothing
  // conflicts with it.
  faults: { only: ['twice', 'throttled', 'stale', 'unheard', 'clock'] },
  clockMoves: [-3000, 30_000],
  invariants: {
    'each mail is sent once': (end) => {
      const codes = end.outside.mails.map(({ text }) => codeIn(text));
      assert.equal(new Set(codes).size, codes.length, 'a code was mailed twice');
      assert.ok(codes.length <= mailIds(end).size);
    },
    'every request has its mail, unless a newer one took its place': (end) => {
      const asked = end.calls.filter(({ answer }) => answer.status > 0 && answer.status < 300).length;
      assert.ok(asked === 0 || end.outside.mails.length > 0);
      assert.deepEqual(end.outside.queues.MailQueue ?? [], []);
      const sent = end.rows('MailRecords').filter(({ mailRecord }) => String(mailRecord).startsWith('mail#'));
      for (const { mailId } of end
        .rows('MailRecords')
        .filter(({ mailRecord }) => String(mailRecord).startsWith('code#'))) {
        assert.ok(
          sent.find(({ mailRecord, sentAt }) => mailRecord === `mail#${mailId}` && sentAt),
          'the last code was sent',
        );
      }
    },
    'not more than five an hour': ({ outside }) => assert.ok(outside.mails.length <= 5),
    'exactly one of the codes works': async (end) => {
      const codes = end.outside.mails.map(({ text }) => codeIn(text)).slice(0, 5);
      if (codes.length === 0) return;
      const statuses = [];
      for (const each of codes) {
        statuses.push((await end.call(patient, 'resetPassword', resetting(each, 'the-first-passphrase'))).status);
      }
      assert.equal(statuses.filter((status) => status === 200).length, 1, `${statuses}`);
    },
  },
};

const inTimeMs = 30_000;
let askedAt = 0;

/** A code lives for minutes, and somebody waits for it. */
export const mailInTime: Scenario = {
  name: 'mail-in-time',
  domain: 'mail',
  says: 'Two phones ask for a code, and an answer of a service gets lost.',
  setUp: async (setUp) => {
    await anAccount(setUp);
    askedAt = setUp.now();
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('forgotPassword', { body: { email } }) },
    'phone B': { as: patient, does: ({ insist }) => insist('forgotPassword', { body: { email } }) },
  },
  consumers: ['sendMail'],
  // One answer, which the SDK asks for again. SES is not asked again: a mail whose answer is lost comes twice, the second one late.
  faults: { most: 1, only: ['lost', 'stale'] },
  invariants: {
    'a mail leaves within half a minute, although an answer got lost': ({ rows, outside }) => {
      const all = rows('MailRecords').flatMap(({ mailRecord, sentAt }) =>
        mailRecord.startsWith('mail#') && sentAt !== undefined ? [Date.parse(sentAt) - askedAt] : [],
      );
      // Without the one about the sign-in.
      const sent = all.filter((ms) => ms >= 0);
      assert.ok(sent.length > 0);
      if (outside.mails.length === sent.length) assert.ok(Math.max(...sent) < inTimeMs, `${sent} ms`);
    },
  },
};
