import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { noticeId } from '../../functions/mail/exports.ts';
import { eraseStaffAccount } from '../../functions/staff/stores/erase-staff-account.ts';
import { readAccount } from '../../functions/staff/stores/staff-rows.ts';
import { activate } from '../../functions/staff/workflows/activate.ts';
import { awaitActivation, invitedAccount } from '../../functions/staff/workflows/await-activation.ts';
import { changeStaff } from '../../functions/staff/workflows/change-staff.ts';
import {
  type Decision,
  disabling,
  enabling,
  givingRole,
  resettingSignIn,
  takingRole,
} from '../../functions/staff/workflows/decisions.ts';
import { inviteStaff } from '../../functions/staff/workflows/make-invitation.ts';
import { accountPart, guardCount, guardKey } from '../../lib/contract/accounts.ts';
import { rolesByRow, rosterKey } from '../../lib/contract/staff-accounts.ts';
import { atOnce, openStaff, realNow } from './open-staff.ts';

/** What many requests at once, and a crash between two steps, make of the staff: on the local DynamoDB and a pool in memory. */

const { dynamo, tables, cognito, place, by, admins, member, events } = await openStaff();
const change = (caller: string, userId: string, decision: Decision) =>
  changeStaff(place(), userId, decision, by(caller), atOnce);
const invite = (caller: string, email: string, roles = ['physician']) => {
  const wanted = { email, name: 'Dr. A', roles, siteId: null, locale: null, now: realNow };
  return inviteStaff(place(), wanted, { ...by(caller), once: null }, atOnce);
};

async function someAdmins(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push((await member(`admin-${index}@example.com`, ['admin'])).sub);
  return ids;
}

describe('the last administrator', () => {
  test.each([
    ['loses the role', takingRole('admin')],
    ['is disabled', disabling],
  ])('stays, when in 50 attempts at once each of five %s by each other', async (_, decide) => {
    const ids = await someAdmins(5);
    expect((await admins()).toSorted()).toEqual(ids.toSorted());
    const attempts = Array.from({ length: 50 }, (_, index) => {
      const caller = ids[index % 5] ?? '';
      const target = ids[(index + 1 + (Math.trunc(index / 5) % 4)) % 5] ?? '';
      // With the waits of a function, in which all get through.
      return changeStaff(place(), target, decide, by(caller));
    });
    const changed = (await Promise.all(attempts)).filter((each) => typeof each === 'object' && each.isChanged);
    expect(changed).toHaveLength(4);
    const [left, ...more] = await admins();
    expect(more).toEqual([]);
    const accounts = await Promise.all(ids.map((id) => readAccount(tables.StaffAccounts, id)));
    const standing = accounts.filter((each) => each?.status === 'active' && each.roles.includes('admin'));
    expect(standing.map((each) => each?.userId)).toEqual([left]);
    // The pool says the same as the rows, whoever wrote to it last.
    for (const account of accounts) {
      expect(cognito.find(account?.userId)?.isEnabled).toBe(account?.status === 'active');
    }
  });

  test('if two administrators disable each other, one is left', async () => {
    const [one = '', other = ''] = await someAdmins(2);
    const changed = await Promise.all([change(one, other, disabling), change(other, one, disabling)]);
    expect(changed.filter((each) => each === 'forbidden')).toHaveLength(1);
    expect(await admins()).toHaveLength(1);
  });
});

describe('a person who is no longer an administrator', () => {
  test('cannot give a role in the minute in which the gateway still accepts the token', async () => {
    const [one = '', other = ''] = await someAdmins(2);
    const friend = cognito.add('friend@example.com').sub;
    await change(one, other, takingRole('admin'));
    expect(await change(other, friend, givingRole('admin'))).toBe('forbidden');
    expect(await change(other, one, disabling)).toBe('forbidden');
    expect(await invite(other, 'friend-2@example.com', ['admin'])).toBe('forbidden');
    expect(cognito.find('friend-2@example.com')).toBeUndefined();
    expect(await readAccount(tables.StaffAccounts, friend)).toBeNull();
  });

  test('neither can somebody whom only the pool knows, was deleted from it, or never was in it', async () => {
    const friend = cognito.add('friend@example.com').sub;
    expect(await change(randomUUID(), friend, givingRole('admin'))).toBe('forbidden');
    const physician = (await member('p@example.com', ['physician'])).sub;
    expect(await change(physician, friend, givingRole('admin'))).toBe('forbidden');
    expect(await readAccount(tables.StaffAccounts, friend)).toBeNull();
  });
});

test.each(['x', 0, '9999-99-99T99:99:99.999Z'])(
  'a time of the last change that is none, %s, keeps nobody from being disabled',
  async (updatedAt) => {
    const [one = ''] = await someAdmins(1);
    const { sub } = await member('p@example.com', ['physician']);
    const account = await readAccount(tables.StaffAccounts, sub);
    await dynamo.send(new PutCommand({ TableName: 'StaffAccounts', Item: { ...account, kind: 'staff', updatedAt } }));
    const disabled = { status: 'disabled', updatedAt: realNow.toISOString() };
    expect(await change(one, sub, disabling)).toMatchObject({ account: disabled, isChanged: true });
  },
);

test('a roster that is none stays, and the erasure of a member goes on', async () => {
  const { sub: userId } = await member('p@example.com', ['physician']);
  const erase = () => eraseStaffAccount({ tables } as never, { userId, erasedAt: realNow.toISOString() });
  const roster = { ...rosterKey, admins: 'x' };
  await dynamo.send(new PutCommand({ TableName: 'StaffAccounts', Item: roster }));
  await erase();
  expect(await readAccount(tables.StaffAccounts, userId)).toBeNull();
  const { Item } = await dynamo.send(new GetCommand({ TableName: 'StaffAccounts', Key: rosterKey }));
  expect(Item).toEqual(roster);
  await dynamo.send(new PutCommand({ TableName: 'StaffAccounts', Item: rosterKey }));
  await erase();
});

describe('the pool follows the row', () => {
  test('after a crash the row decides, and a repeated request updates the pool', async () => {
    const [one = ''] = await someAdmins(1);
    const { sub } = await member('p@example.com', ['physician', 'researcher']);
    cognito.refuse('AdminUserGlobalSignOut');
    await expect(change(one, sub, takingRole('researcher'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await readAccount(tables.StaffAccounts, sub)).toMatchObject({
      roles: ['physician'],
      endedAt: realNow.getTime() / 1000,
    });
    expect(cognito.find(sub)?.outs).toBe(0);
    cognito.refuse(null);
    const again = await change(one, sub, takingRole('researcher'));
    expect(again).toMatchObject({ isChanged: false });
    expect(cognito.find(sub)).toMatchObject({ outs: 1 });
    expect(await readAccount(tables.StaffAccounts, sub)).not.toHaveProperty('isEnding');
  });

  test('an ending that a crash left is finished by the next change, also by one that ends nothing', async () => {
    const [one = ''] = await someAdmins(1);
    const { sub } = await member('p@example.com', ['physician']);
    cognito.refuse('AdminDisableUser');
    await expect(change(one, sub, disabling)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    cognito.refuse(null);
    await change(one, sub, enabling);
    expect(cognito.find(sub)).toMatchObject({ isEnabled: true, outs: 1 });
    await change(one, sub, givingRole('researcher'));
    expect(cognito.find(sub)?.outs).toBe(1);
  });

  test('two endings in one second end the sessions twice', async () => {
    const [one = ''] = await someAdmins(1);
    const { sub } = await member('p@example.com', ['physician']);
    await change(one, sub, takingRole('physician'));
    await change(one, sub, disabling);
    expect(cognito.find(sub)?.outs).toBe(2);
  });

  test('a request that waited for others takes nothing back of what they ended', async () => {
    const [one = ''] = await someAdmins(1);
    const { sub } = await member('p@example.com', ['physician', 'researcher']);
    await change(one, sub, takingRole('physician'));
    const earlier = { ...by(one), realNow: new Date(realNow.getTime() - 5000) };
    await changeStaff(place(), sub, takingRole('researcher'), earlier, atOnce);
    expect(await readAccount(tables.StaffAccounts, sub)).toMatchObject({ endedAt: realNow.getTime() / 1000 });
  });

  test('a request that changes nothing signs nobody out', async () => {
    const [one = ''] = await someAdmins(1);
    const { sub } = await member('p@example.com', ['physician']);
    await change(one, sub, disabling);
    expect(cognito.find(sub)).toMatchObject({ isEnabled: false, outs: 1 });
    await change(one, sub, disabling);
    await change(one, sub, takingRole('admin'));
    expect(cognito.find(sub)).toMatchObject({ isEnabled: false, outs: 1 });
    expect(await change(one, sub, enabling)).toMatchObject({ account: { status: 'active', roles: ['physician'] } });
    await change(one, sub, givingRole('researcher'));
    expect(cognito.find(sub)).toMatchObject({ isEnabled: true, outs: 1 });
  });

  test('each change has its audit event, without address and name', async () => {
    const [one = ''] = await someAdmins(1);
    const { sub } = cognito.add('secret@example.com');
    await change(one, sub, givingRole('physician'));
    const said = (await events()).filter(({ subject }) => subject === `staff/${sub}`);
    expect(said).toEqual([
      expect.objectContaining({
        actor: one,
        action: 'staff.role-given',
        before: { roles: [], status: 'active' },
        after: { roles: ['physician'], status: 'active' },
      }),
    ]);
    expect(JSON.stringify(said)).not.toContain('secret@');
  });

  test('a closed account is unknown, like an account that does not exist', async () => {
    const [one = ''] = await someAdmins(1);
    const { sub } = await member('p@example.com', ['physician']);
    const guards = Array.from({ length: guardCount }, (_, number) => guardKey(sub, number));
    for (const Item of [...guards, { userId: sub, part: accountPart, isClosed: true }]) {
      await dynamo.send(new PutCommand({ TableName: 'Accounts', Item }));
    }
    expect(await change(one, sub, givingRole('admin'))).toBe('unknown');
    // Nothing to write, and the pool is not called.
    expect(await change(one, sub, givingRole('physician'))).toBe('unknown');
    expect(await readAccount(tables.StaffAccounts, sub)).toMatchObject({ revision: 1 });
  });

  test('somebody whom only the pool knows has the roles that are given, and no others', async () => {
    const [one = ''] = await someAdmins(1);
    const { sub } = cognito.add('p@example.com');
    await change(one, sub, givingRole('physician'));
    expect(await readAccount(tables.StaffAccounts, sub)).toMatchObject({ roles: ['physician'], status: 'active' });
  });
});

describe('an invitation', () => {
  test('of one address by ten requests at once makes only one account', async () => {
    const [one = ''] = await someAdmins(1);
    const invited = await Promise.all(Array.from({ length: 10 }, () => invite(one, 'new@example.com')));
    const ids = invited.map((each) =>
      typeof each === 'object' ? ('exists' in each ? each.exists : each.userId) : each,
    );
    expect(new Set(ids)).toEqual(new Set([cognito.find('new@example.com')?.sub]));
    expect(invited.filter((each) => typeof each === 'object' && 'userId' in each)).toHaveLength(1);
  });

  test('continues after a crash that left a user in the pool without a row', async () => {
    const [one = ''] = await someAdmins(1);
    const left = cognito.add('new@example.com');
    left.password = null;
    expect(await invite(one, 'new@example.com')).toMatchObject({
      userId: left.sub,
      roles: ['physician'],
      status: 'invited',
    });
  });

  test('is refused for an account with a password, which does not change', async () => {
    const [one = ''] = await someAdmins(1);
    const known = await member('known@example.com', ['physician']);
    expect(await invite(one, 'known@example.com', ['admin'])).toEqual({ exists: known.sub });
    expect(await readAccount(tables.StaffAccounts, known.sub)).toMatchObject({ roles: ['physician'], revision: 1 });
  });

  const accept = async (userId: string, password: string, at = realNow) => {
    const account = await readAccount(tables.StaffAccounts, userId);
    const found = cognito.find(userId);
    if (found && account?.status === 'invited') found.password = password;
    const accepted = { userId, invitationId: account?.invitation?.id ?? '' };
    return activate(place(), accepted, { application: 'medinfo', requestId: 'r', realNow: at });
  };

  test('is accepted once; not while the account is disabled, but again after it is enabled', async () => {
    const [one = ''] = await someAdmins(1);
    const invited = await invite(one, 'new@example.com');
    const { userId } = invited as { userId: string };
    await change(one, userId, disabling);
    expect(await accept(userId, 'first')).toBe('closed');
    expect(await change(one, userId, enabling)).toMatchObject({ account: { status: 'invited' } });
    expect(await accept(userId, 'second')).toBe('accepted');
    // A message that comes again.
    expect(await accept(userId, 'third')).toBe('accepted');
    expect(cognito.find(userId)?.password).toBe('second');
  });

  test('gives no role to whom has replaced no temporary password, nor for a state that is over', async () => {
    const [one = ''] = await someAdmins(1);
    const { userId, changeId: invitationId } = (await invite(one, 'new@example.com', ['admin'])) as {
      userId: string;
      changeId: string;
    };
    const occasion = { application: 'medinfo', requestId: 'r', realNow };
    expect(await activate(place(), { userId, invitationId }, occasion)).toBe('closed');
    const found = cognito.find(userId);
    if (found) found.password = 'chosen';
    expect(await activate(place(), { userId, invitationId: 'another' }, occasion)).toBe('closed');
    expect(await activate(place(), { userId: randomUUID(), invitationId }, occasion)).toBe('closed');
    expect(await admins()).toEqual([one]);
    expect(await activate(place(), { userId, invitationId }, occasion)).toBe('accepted');
    // What repeats the acceptance finds it done, by the link of that invitation only; nothing listens at this address.
    const accounts = { table: tables.StaffAccounts };
    const opened = (mailId: string) => invitedAccount(accounts, { userId, email: 'NEW@example.com', mailId });
    const account = await opened(noticeId(userId, invitationId));
    expect(account).toMatchObject({ userId, status: 'active' });
    expect(account && (await awaitActivation({ ...accounts, queueUrl: 'http://127.0.0.1:9' }, account, 'r'))).toBe(
      true,
    );
    expect(await opened(noticeId(userId, 'another'))).toBeNull();
    // Of a reset whose password is not void yet.
    await change(one, userId, resettingSignIn);
    expect(await activate(place(), { userId, invitationId }, occasion)).toBe('closed');
  });

  const rolesOf = async (userId: string, signedInAt: Date) => {
    const token = { signedInAt: signedInAt.getTime() / 1000 };
    return rolesByRow(await readAccount(tables.StaffAccounts, userId), token, later(3_600));
  };
  const later = (seconds: number) => new Date(realNow.getTime() + seconds * 1000);

  test('an end of a time to come, which no honest function writes, keeps nobody out', () => {
    const row = { roles: ['admin'], status: 'active', endedAt: 9_000_000_000 } as const;
    expect(rolesByRow(row, { signedInAt: realNow.getTime() / 1000 }, realNow)).toEqual(['admin']);
  });

  test('makes an administrator only once it is accepted; until then no token has a role', async () => {
    const [one = ''] = await someAdmins(1);
    const { userId } = (await invite(one, 'new@example.com', ['admin'])) as { userId: string };
    expect(await admins()).toEqual([one]);
    expect(await rolesOf(userId, later(60))).toBeNull();
    expect(await change(userId, one, disabling)).toBe('forbidden');
    expect(await accept(userId, 'first')).toBe('accepted');
    expect(new Set(await admins())).toEqual(new Set([one, userId]));
    expect(await rolesOf(userId, realNow)).toEqual(['admin']);
    expect(await change(userId, one, givingRole('physician'))).toMatchObject({ isChanged: true });
  });

  test('an administrator whose sign-in was reset is none until the code is entered, and codes made meanwhile do not count', async () => {
    const [one = ''] = await someAdmins(1);
    const { userId } = (await invite(one, 'new@example.com', ['admin'])) as { userId: string };
    await accept(userId, 'first');
    expect(await change(one, userId, resettingSignIn)).toMatchObject({ account: { status: 'invited' } });
    expect(await admins()).toEqual([one]);
    // A thief with the phone and the old password, in the moment before the password is void: a minute later the person accepts.
    expect(await rolesOf(userId, later(5))).toBeNull();
    expect(await change(userId, one, disabling)).toBe('forbidden');
    const codes = { userId, hashes: new Set(['made by the thief']) };
    await dynamo.send(new PutCommand({ TableName: 'RecoveryCodes', Item: codes }));
    expect(await accept(userId, 'second', later(60))).toBe('accepted');
    const { Item } = await dynamo.send(new GetCommand({ TableName: 'RecoveryCodes', Key: { userId } }));
    expect(Item).toBeUndefined();
    expect(await rolesOf(userId, later(5))).toBeNull();
    expect(await rolesOf(userId, later(60))).toEqual(['admin']);
    expect(new Set(await admins())).toEqual(new Set([one, userId]));
  });

  test('two administrators who reset each other at once: one is left', async () => {
    const [one = '', two = ''] = await someAdmins(2);
    const answers = await Promise.all([change(one, two, resettingSignIn), change(two, one, resettingSignIn)]);
    expect(answers.filter((answer) => answer === 'forbidden')).toHaveLength(1);
    expect(await admins()).toHaveLength(1);
  });
});
