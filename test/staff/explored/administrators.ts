import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Call, End, Invariant, Person, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { inThePool, livesInThePool, signedIn } from '../../auth/explored/people.ts';
import { admin, agent, otherAdmin } from '../../explorer/people.ts';

/** Administrators change each other. */

const people = [admin, otherAdmin, agent];
const tokens = new Map<string, string>();

/** The rows that an operator's command writes. */
export async function entered(setUp: SetUp, ...members: readonly Person[]): Promise<void> {
  const at = new Date(setUp.now()).toISOString();
  for (const { userId, roles } of members) {
    const person = {
      userId,
      email: `${userId}@example.com`,
      roles: [...roles].sort(),
      status: 'active',
      acceptedAt: at,
    };
    const more = { endedAt: null, createdAt: at, updatedAt: at, revision: 1, changeId: 'entered' };
    await setUp.put('StaffAccounts', { kind: 'staff', ...person, ...more });
  }
  const admins = new Set(members.filter(({ roles }) => roles.includes('admin')).map(({ userId }) => userId));
  await setUp.put('StaffAccounts', { kind: 'roster', userId: 'admins', admins });
}

/** Two administrators and an agent, each with a row and a session. */
async function aStaff(setUp: SetUp): Promise<void> {
  await entered(setUp, ...people);
  for (const person of people) {
    inThePool(setUp, person);
    tokens.set(person.userId, await signedIn(setUp, person));
  }
  const giving = (by: typeof admin, userId: string) =>
    setUp.call(by, 'giveRole', { params: { userId, role: 'physician' } });
  for (const answer of [
    await giving(admin, otherAdmin.userId),
    await giving(otherAdmin, admin.userId),
    await giving(admin, agent.userId),
  ]) {
    assert.equal(answer.status, 200);
  }
}

export const accountOf = ({ rows }: End, userId: string): Row | undefined =>
  rows('StaffAccounts').find((row) => row.kind === 'staff' && row.userId === userId);

const isAdministrator = (row: Row | undefined) => row?.status === 'active' && row.roles.includes('admin');

export const rosterIsTrue: Invariant = (end) => {
  const [roster] = end.rows('StaffAccounts').filter(({ kind }) => kind === 'roster');
  const active = end
    .rows('StaffAccounts')
    .filter((row) => row.kind === 'staff' && isAdministrator(row))
    .map(({ userId }) => userId);
  assert.deepEqual([...(roster?.admins ?? [])].sort(), active.sort());
};

const neverWithout: Invariant = ({ written }) => {
  for (const { table, after } of written()) {
    if (table === 'StaffAccounts' && after?.kind === 'roster') assert.ok(after.admins?.size > 0);
  }
};

/** A note that the sessions have ended changes nothing that an audit event shows. */
const isNote = ({ before, after }: { readonly before: Row | null; readonly after: Row | null }) =>
  before !== null && isDeepStrictEqual({ ...before, isEnding: null }, { ...after, isEnding: null });

/** Each change of a row has one audit event, in the same transaction. */
export const changesAreAudited: Invariant = ({ written }) => {
  const all = written();
  for (const { table, commit, before, after } of all) {
    if (table !== 'StaffAccounts' || after?.kind !== 'staff' || isNote({ before, after })) continue;
    const events = all.filter((each) => each.table === 'AuditEvents' && each.commit === commit);
    assert.equal(events.length, 1);
    assert.equal(events[0]?.after?.subject, `staff/${after.userId}`);
    assert.deepEqual(events[0]?.after?.after, { roles: after.roles, status: after.status });
  }
};

/** Whoever changed it last had an answer that all is done: then the pool is as the row. */
function poolFollows(end: End, userId: string, changes: (call: Call) => boolean): void {
  const calls = end.calls.filter(changes);
  const last = new Map(calls.map((call) => [call.client, call]));
  if ([...last.values()].some((call) => !isAnswered(call))) return;
  const row = accountOf(end, userId);
  const user = end.outside.users[userId];
  if (!row || !user) return;
  assert.equal(user.enabled, row.status !== 'disabled', `${userId} can sign in as the row says`);
}

const about = (userId: string) => (call: Call) =>
  call.request.params?.userId === userId || call.request.params?.staffId === userId;

const refusalsAreExplained: Invariant = (end) => {
  for (const call of end.calls.filter(isAnswered)) {
    if (call.answer.status === 200) continue;
    // 401 once the sessions of whoever lost the right have ended.
    assert.ok([401, 403].includes(call.answer.status), `${call.answer.status}`);
    const userId = call.client === 'admin' ? admin.userId : otherAdmin.userId;
    // Somebody has taken the right to it: nobody gives it back in these stories.
    assert.ok(!isAdministrator(accountOf(end, userId)), `${call.client} is an administrator, and was refused`);
  }
};

const sessionsEnd: Invariant = (end) => {
  for (const { userId } of people) {
    const row = accountOf(end, userId);
    const ending = end.calls.filter(
      (call) => about(userId)(call) && call.answer.status === 200 && /disableStaff|takeRole/.test(call.operation),
    );
    if (ending.length === 0 || row?.endedAt === null) continue;
    assert.ok(!livesInThePool(end, tokens.get(userId) ?? ''), `${userId} still renews`);
  }
};

/** Whoever had an answer has ended the sessions, also those that another change left. */
const noEndingIsLeft: Invariant = (end) => {
  const last = new Map(end.calls.map((call) => [call.client, call]));
  if ([...last.values()].some(({ answer }) => answer.status !== 200)) return;
  for (const { userId } of people) assert.ok(!accountOf(end, userId)?.isEnding, `an ending of ${userId} is left`);
};

const common: Scenario['invariants'] = {
  'there is always an administrator': neverWithout,
  'the roster has the active administrators': rosterIsTrue,
  'each change is audited once': changesAreAudited,
  'the pool follows the rows': (end) => {
    for (const { userId } of people) poolFollows(end, userId, about(userId));
  },
  'who is refused is no administrator any more': refusalsAreExplained,
  'sessions end with what they were for': sessionsEnd,
  'no ending is left unfinished': noEndingIsLeft,
};

export const eachOther: Scenario = {
  name: 'administrators-each-other',
  domain: 'staff',
  says: 'Two administrators take the role from each other, or disable each other, at the same time.',
  setUp: aStaff,
  clients: {
    admin: { as: admin, does: ({ insist }) => insist('disableStaff', { params: { staffId: otherAdmin.userId } }) },
    'other admin': {
      as: otherAdmin,
      does: async ({ insist }) => {
        await insist('takeRole', { params: { userId: admin.userId, role: 'admin' } });
        await insist('disableStaff', { params: { staffId: agent.userId } });
      },
    },
  },
  clockMoves: [-3000, 60_000],
  invariants: {
    ...common,
    'one of them stays': (end) => {
      const left = [admin, otherAdmin].filter(({ userId }) => isAdministrator(accountOf(end, userId)));
      assert.equal(left.length, 1);
    },
    'what was answered is so': (end) => {
      for (const { operation, request, answer } of end.calls) {
        if (answer.status !== 200) continue;
        const row = accountOf(end, request.params?.staffId ?? request.params?.userId ?? '');
        if (operation === 'disableStaff') assert.equal(row?.status, 'disabled');
        if (operation === 'takeRole') assert.ok(!row?.roles.includes('admin'));
      }
    },
  },
};

export const oneMember: Scenario = {
  name: 'one-member-of-staff',
  domain: 'staff',
  says: 'One administrator disables and enables a member of staff while another one changes the roles.',
  setUp: aStaff,
  clients: {
    admin: {
      as: admin,
      does: async ({ insist }) => {
        await insist('disableStaff', { params: { staffId: agent.userId } });
        await insist('enableStaff', { params: { staffId: agent.userId } });
      },
    },
    'other admin': {
      as: otherAdmin,
      does: async ({ insist }) => {
        await insist('giveRole', { params: { userId: agent.userId, role: 'admin' } });
        await insist('takeRole', { params: { userId: agent.userId, role: 'physician' } });
      },
    },
  },
  clockMoves: [-3000],
  invariants: {
    ...common,
    'nothing is lost': (end) => {
      if (end.calls.some((call) => call.answer.status !== 200 && isAnswered(call))) return;
      const last = new Map(end.calls.map((call) => [call.client, call]));
      if ([...last.values()].some((call) => !isAnswered(call))) return;
      const row = accountOf(end, agent.userId);
      assert.equal(row?.status, 'active');
      assert.deepEqual([...(row?.roles ?? [])].sort(), ['admin', 'agent']);
    },
  },
};

/** Somebody whom only the pool knows gets a row with the first role; here two are given at once. */
export const firstRequests: Scenario = {
  name: 'first-requests',
  domain: 'staff',
  says: 'Two requests give their first roles to somebody whom only the user pool knows, at the same time.',
  setUp: async (setUp) => {
    await entered(setUp, admin);
    for (const person of people) inThePool(setUp, person);
  },
  clients: {
    'request A': {
      as: admin,
      does: ({ insist }) => insist('giveRole', { params: { userId: agent.userId, role: 'physician' } }),
    },
    'request B': {
      as: admin,
      does: ({ insist }) => insist('giveRole', { params: { userId: agent.userId, role: 'researcher' } }),
    },
  },
  clockMoves: [-3000],
  invariants: {
    'the roster has the active administrators': rosterIsTrue,
    'an administrator may': ({ calls }) => {
      for (const call of calls.filter(isAnswered)) assert.equal(call.answer.status, 200);
    },
    'both roles are given, and none that a group of the pool names': (end) => {
      if (end.calls.some((call) => call.answer.status !== 200)) return;
      assert.deepEqual([...(accountOf(end, agent.userId)?.roles ?? [])].sort(), ['physician', 'researcher']);
    },
  },
};
