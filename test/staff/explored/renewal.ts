import assert from 'node:assert/strict';
import { drawn, drawnToken } from '../../../functions/mail/stores/mail-records.ts';
import { readRing } from '../../../lib/contract/key-ring.ts';
import type { Call, Client, End, Invariant, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { inThePool } from '../../auth/explored/people.ts';
import { admin, otherAdmin } from '../../explorer/people.ts';
import { tokenIn } from '../../mail/token.ts';
import { accountOf, changesAreAudited, entered, rosterIsTrue } from './administrators.ts';

/** An invitation is renewed by two administrators while the person accepts by an older mail and by a newer one. */

const email = 'new@example.com';
/** The key of `lib/explore/functions.ts`: a promise is about which mail has which code. */
const ring = readRing('MailKeyOfTheExplorer'.padEnd(64, '0'), 'MailKey');
let staffId = '';
/** Of the mail of before. */
const first = { code: '', token: '' };

const inviting = {
  body: { email, name: 'New', roles: ['agent'] },
  headers: { 'Idempotency-Key': 'one' },
};

async function invited(setUp: SetUp): Promise<void> {
  for (const person of [admin, otherAdmin]) inThePool(setUp, person);
  await entered(setUp, admin, otherAdmin);
  const { status, body } = await setUp.call(admin, 'inviteStaff', inviting);
  assert.equal(status, 201);
  staffId = String(body.staffId);
  await setUp.settle();
  first.code = String(body.invitationCode);
  first.token = tokenIn(setUp.outside.mails.findLast(({ to }) => to === email)?.text);
}

const accepting = (token: string, code: string, password: string) => ({ body: { email, token, code, password } });

/** The administrator tells the code; the person takes it with the mail that came last. */
const renewing = (password: string) => async (client: Client) => {
  const { body } = await client.insist('resendStaffInvitation', { params: { staffId } });
  const code = body.invitationCode;
  if (typeof code !== 'string') return;
  // Two mails are of the set-up, one of them to who invited.
  const mails = await client.mails(3);
  await client.insist(
    'acceptStaffInvitation',
    accepting(tokenIn(mails.findLast(({ to }) => to === email)?.text), code, password),
  );
};

const isAcceptance = ({ operation }: Call) => operation === 'acceptStaffInvitation';
const isDone = (call: Call) => isAcceptance(call) && call.answer.status === 200;
/** Calls that have an invitation mailed. */
const invites = ({ operation }: Call) => ['inviteStaff', 'resendStaffInvitation'].includes(operation);
const answeredCode = ({ answer }: Call) => (answer.status < 300 ? (answer.body.invitationCode ?? null) : null);
const isAccepted = (end: End) => Boolean(accountOf(end, staffId)?.acceptedAt);

/** The mails that the person got, in turn. */
function mailsGot({ rows, outside }: End) {
  const ids = rows('MailRecords').flatMap(({ mailRecord }) => /^mail#(.+)/.exec(mailRecord)?.[1] ?? []);
  const byToken = new Map(ids.map((mailId) => [drawnToken(ring, mailId), { mailId, code: drawn(ring, mailId, 8) }]));
  const own = outside.mails.filter(({ to }) => to === email).map(({ text }) => tokenIn(text));
  return own.map((token) => ({ token, ...(byToken.get(token) ?? assert.fail('a mail that no row knows')) }));
}

/** The codes that could work, in the order in which each took the place of the one before. */
function codesStored({ written }: End) {
  return written().flatMap(({ table, commit, before, after }) =>
    table === 'MailRecords' && after?.keep?.staffId === staffId && before?.mailId !== after.mailId
      ? [{ commit, mailId: String(after.mailId), askedAt: String(after.askedAt) }]
      : [],
  );
}

async function accepts(end: End, { token, code }: { token: string; code: string }): Promise<boolean> {
  const request = accepting(token, code, 'one-more-passphrase');
  let { status } = await end.call(admin, 'acceptStaffInvitation', request);
  // The consumer that gives the roles ran only after the answer: the same request again finds it done.
  if (status === 503) ({ status } = await end.call(admin, 'acceptStaffInvitation', request));
  assert.ok([200, 400].includes(status), `${status}`);
  return status === 200;
}

const acceptedOnce: Invariant = (end) => {
  const events = end.rows('AuditEvents').filter(({ action }) => action === 'staff.accepted');
  assert.equal(events.length, isAccepted(end) ? 1 : 0);
  if (end.calls.some(isDone)) assert.ok(isAccepted(end));
};

const ownCodes: Invariant = ({ calls }) => {
  const codes = calls.filter((call) => call.operation === 'resendStaffInvitation').map(answeredCode);
  const told = codes.filter((code) => code !== null);
  assert.equal(new Set(told).size, told.length);
};

const newestStays: Invariant = (end) => {
  const times = codesStored(end).map(({ askedAt }) => askedAt);
  assert.deepEqual(times, times.toSorted());
};

/** A mail that is being sent may be overtaken; it is not sent by a function that took it up afterwards. */
const noOlderMail: Invariant = (end) => {
  const claims = end
    .written()
    .flatMap(({ table, commit, before, after }) =>
      table === 'MailRecords' && after?.leasedBy !== undefined && after.leasedBy !== before?.leasedBy
        ? [{ commit, mailRecord: after.mailRecord }]
        : [],
    );
  const stored = codesStored(end);
  for (const { mailId, askedAt } of stored) {
    const sent = mailsGot(end).filter((mail) => mail.mailId === mailId).length;
    const newer = stored.find((each) => each.askedAt > askedAt)?.commit ?? Number.POSITIVE_INFINITY;
    const before = claims.filter(({ commit, mailRecord }) => mailRecord === `mail#${mailId}` && commit < newer);
    assert.ok(sent <= before.length, 'a mail was taken up after a newer one, and sent');
  }
};

const olderWorksNot: Invariant = async (end) => {
  const newest = codesStored(end).at(-1)?.mailId;
  if (newest === undefined) return;
  for (const mail of mailsGot(end).filter(({ mailId }) => mailId !== newest)) assert.ok(!(await accepts(end, mail)));
};

/** A renewal after all others: then nobody can say that another one was later. */
const lastWorks: Invariant = async (end) => {
  const all = end.calls.filter(invites);
  const last = all.find((call) => all.every((each) => each === call || each.ended < call.begun));
  const code = last && answeredCode(last);
  // Each request to accept may have taken one of five tries.
  if (!code || isAccepted(end) || end.calls.filter(isAcceptance).length >= 5) return;
  const mail = mailsGot(end).find((each) => each.code === code);
  assert.ok(mail, 'the code that was told last has a mail');
  assert.ok(await accepts(end, mail), 'the code that was told last works');
};

const nothingAfterwards: Invariant = async (end) => {
  if (!isAccepted(end)) return;
  const before = end.outside.users[staffId]?.password;
  for (const mail of mailsGot(end)) assert.ok(!(await accepts(end, mail)));
  assert.equal(end.outside.users[staffId]?.password, before);
};

const promises = {
  'the roster has the active administrators': rosterIsTrue,
  'each change is audited once': changesAreAudited,
  'the person is accepted once': acceptedOnce,
  'each renewal has a code of its own': ownCodes,
  'a code gives way only to a newer one': newestStays,
  'no mail is taken up and sent after a newer one': noOlderMail,
  'no mail works but that of the newest code': olderWorksNot,
  'the last code that was answered works with its mail': lastWorks,
  'who has accepted accepts no more, by no mail': nothingAfterwards,
};

const renewals: Scenario['clients'] = {
  admin: { as: admin, does: renewing('the-first-passphrase') },
  'other admin': { as: otherAdmin, does: renewing('the-second-passphrase') },
};

export const invitationRenewed: Scenario = {
  name: 'invitation-renewed',
  domain: 'staff',
  says: 'Two administrators renew an invitation while the person accepts by the first mail and by those that come.',
  setUp: invited,
  clients: {
    ...renewals,
    'the first mail': {
      as: admin,
      does: async ({ insist }) =>
        void (await insist('acceptStaffInvitation', accepting(first.token, first.code, 'the-third-passphrase'))),
    },
  },
  consumers: ['sendMail', 'activateMember'],
  clockMoves: [-3000, 60_000],
  invariants: promises,
};

/** Nobody accepts until everything has come to rest. */
export const invitationRepeated: Scenario = {
  ...invitationRenewed,
  name: 'invitation-repeated',
  says: 'An administrator repeats the request of an invitation with its key while another one renews it twice.',
  clients: {
    'other admin': {
      as: otherAdmin,
      does: async ({ insist }) => {
        for (let each = 0; each < 2; each += 1) await insist('resendStaffInvitation', { params: { staffId } });
      },
    },
    'admin again': { as: admin, does: ({ insist }) => insist('inviteStaff', inviting) },
  },
};
