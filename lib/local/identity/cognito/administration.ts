import { type Cognito, type Input, poolIn, text, userIn } from './call.ts';
import { findUser, newUser, type User } from './directory.ts';
import { failure, invalid } from './failures.ts';
import { assertFits, hashed } from './passwords.ts';
import { revokeAll } from './refresh-tokens.ts';
import { ownerOf } from './software-token.ts';

/** An administrator's operations on users. They never send users anything. */

type Attribute = { Name: string; Value: string };

export async function adminCreateUser(cognito: Cognito, input: Input): Promise<object> {
  const { pool, data } = await poolIn(cognito, input);
  const name = text(input, 'Username');
  const given = Object.fromEntries(
    ((input.UserAttributes ?? []) as Attribute[]).map(({ Name, Value }): [string, string] => [Name, Value]),
  );
  if (pool.signsInByEmail && !/^\S+@\S+$/.test(name)) throw invalid('Username should be an email.');
  const attributes = pool.signsInByEmail ? { ...given, email: name } : given;
  if (findUser(data, name)) {
    const what = pool.signsInByEmail
      ? 'An account with the given email already exists.'
      : 'User account already exists';
    throw failure('UsernameExistsException', what);
  }
  const password = input.TemporaryPassword;
  if (typeof password === 'string') assertFits(password, pool.passwordPolicy);
  const user = newUser(
    {
      attributes,
      ...(!pool.signsInByEmail && { username: name }),
      passwordHash: typeof password === 'string' ? await hashed(password) : null,
    },
    cognito.now(),
  );
  // Other calls may have run during the hashing.
  if (findUser(data, name)) throw failure('UsernameExistsException', 'User account already exists');
  data.users.set(user.sub, user);
  await cognito.directory.save(pool.id);
  return { User: { ...described(user), Attributes: attributesOf(user) } };
}

export async function adminSetUserPassword(cognito: Cognito, input: Input): Promise<object> {
  const { pool, user } = await userIn(cognito, input);
  const password = text(input, 'Password');
  assertFits(password, pool.passwordPolicy);
  user.passwordHash = await hashed(password);
  user.status = input.Permanent === true ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD';
  return changed(cognito, pool.id, user);
}

export async function adminUpdateUserAttributes(cognito: Cognito, input: Input): Promise<object> {
  const { pool, data, user } = await userIn(cognito, input);
  const given = Object.fromEntries(
    ((input.UserAttributes ?? []) as Attribute[]).map(({ Name, Value }): [string, string] => [Name, Value]),
  );
  if ('sub' in given) throw invalid('Cannot modify an immutable attribute');
  const other = given.email === undefined ? null : findUser(data, given.email);
  if (other && other !== user) throw failure('AliasExistsException', 'An account with the given email already exists.');
  user.attributes = { ...user.attributes, ...given };
  return changed(cognito, pool.id, user);
}

export async function adminAddUserToGroup(cognito: Cognito, input: Input): Promise<object> {
  const { pool, user } = await userIn(cognito, input);
  const group = text(input, 'GroupName');
  if (!pool.groups.includes(group)) throw failure('ResourceNotFoundException', 'Group not found.');
  user.groups = [...new Set([...user.groups, group])];
  return changed(cognito, pool.id, user);
}

export async function adminRemoveUserFromGroup(cognito: Cognito, input: Input): Promise<object> {
  const { pool, user } = await userIn(cognito, input);
  const group = text(input, 'GroupName');
  user.groups = user.groups.filter((each) => each !== group);
  return changed(cognito, pool.id, user);
}

export async function adminListGroupsForUser(cognito: Cognito, input: Input): Promise<object> {
  const { pool, user } = await userIn(cognito, input);
  return { Groups: user.groups.map((GroupName) => ({ GroupName, UserPoolId: pool.id })) };
}

export async function adminGetUser(cognito: Cognito, input: Input): Promise<object> {
  const { user } = await userIn(cognito, input);
  return { ...described(user), UserAttributes: attributesOf(user), ...secondFactorOf(user) };
}

/** The user's own look, by the access token. */
export async function getUser(cognito: Cognito, input: Input): Promise<object> {
  const { user } = await ownerOf(cognito, input);
  return { Username: user.username, UserAttributes: attributesOf(user), ...secondFactorOf(user) };
}

function secondFactorOf({ totp, wantsTotp }: User): object {
  const app = 'SOFTWARE_TOKEN_MFA';
  return totp && wantsTotp ? { UserMFASettingList: [app], PreferredMfaSetting: app } : {};
}

export async function adminDisableUser(cognito: Cognito, input: Input): Promise<object> {
  const { pool, data, user } = await userIn(cognito, input);
  user.isEnabled = false;
  revokeAll(data, user);
  return changed(cognito, pool.id, user);
}

export async function adminEnableUser(cognito: Cognito, input: Input): Promise<object> {
  const { pool, user } = await userIn(cognito, input);
  user.isEnabled = true;
  return changed(cognito, pool.id, user);
}

export async function adminDeleteUser(cognito: Cognito, input: Input): Promise<object> {
  const { pool, data, user } = await userIn(cognito, input);
  revokeAll(data, user);
  data.users.delete(user.sub);
  await cognito.directory.save(pool.id);
  return {};
}

export async function deleteUser(cognito: Cognito, input: Input): Promise<object> {
  const { poolId, user } = await ownerOf(cognito, input);
  const data = await cognito.directory.of(poolId);
  revokeAll(data, user);
  data.users.delete(user.sub);
  await cognito.directory.save(poolId);
  return {};
}

export async function adminUserGlobalSignOut(cognito: Cognito, input: Input): Promise<object> {
  const { pool, data, user } = await userIn(cognito, input);
  revokeAll(data, user);
  return changed(cognito, pool.id, user);
}

export async function globalSignOut(cognito: Cognito, input: Input): Promise<object> {
  const { poolId, user } = await ownerOf(cognito, input);
  revokeAll(await cognito.directory.of(poolId), user);
  return changed(cognito, poolId, user);
}

/** `email = "…"` or `email ^= "…"`, and so `sub` and `username`: one comparison, as Cognito has it. */
export async function listUsers(cognito: Cognito, input: Input): Promise<object> {
  const { data } = await poolIn(cognito, input);
  const limit = typeof input.Limit === 'number' ? Math.min(input.Limit, 60) : 60;
  const from = typeof input.PaginationToken === 'string' ? Number(input.PaginationToken) : 0;
  const filter = typeof input.Filter === 'string' ? input.Filter.trim() : '';
  const [, name = '', sign, value = ''] = /^(\w+)\s*(\^?=)\s*"(.*)"$/.exec(filter) ?? [];
  if (filter !== '' && !['email', 'sub', 'username'].includes(name))
    throw invalid('Error while parsing filter: Invalid filter.');
  const wanted = value.replaceAll('\\"', '"').toLowerCase();
  const isWanted = (user: User) => {
    const found = ({ sub: user.sub, username: user.username, email: user.attributes.email }[name] ?? '').toLowerCase();
    return filter === '' || (sign === '=' ? found === wanted : found.startsWith(wanted));
  };
  const users = [...data.users.values()].filter(isWanted);
  const page = users.slice(from, from + limit);
  return {
    Users: page.map((user) => ({ ...described(user), Attributes: attributesOf(user) })),
    ...(from + limit < users.length && { PaginationToken: String(from + limit) }),
  };
}

async function changed({ directory, now }: Cognito, poolId: string, user: User): Promise<object> {
  user.modifiedAt = now();
  await directory.save(poolId);
  return {};
}

function described({ username, isEnabled, status, createdAt, modifiedAt }: User) {
  return {
    Username: username,
    Enabled: isEnabled,
    UserStatus: status,
    UserCreateDate: createdAt / 1000,
    UserLastModifiedDate: modifiedAt / 1000,
  };
}

function attributesOf({ sub, attributes }: User): Attribute[] {
  return Object.entries({ sub, ...attributes }).map(([Name, Value]) => ({ Name, Value }));
}
