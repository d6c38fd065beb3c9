import { type Find, type Found, type Input, type Operation, ownerOf, poolIn, text, userIn } from './call.ts';
import { findUser, newUser, type User } from './directory.ts';
import { failure, invalid, notAuthorized } from './failures.ts';
import { assertFits, hashed, isPassword } from './passwords.ts';
import { revokeAll } from './refresh-tokens.ts';

/** Operations on users: an administrator's, and the user's own. They never send users anything. */

type Attribute = { Name: string; Value: string };

export const administration: Readonly<Record<string, Operation>> = {
  async AdminCreateUser(cognito, input) {
    const { pool, data } = poolIn(cognito, input);
    const name = text(input, 'Username');
    const given = namedIn(input);
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
    cognito.directory.save(pool.id);
    return { User: { ...described(user), Attributes: attributesOf(user) } };
  },

  AdminSetUserPassword: changing(userIn, async ({ pool, user }, input) => {
    const password = text(input, 'Password');
    assertFits(password, pool.passwordPolicy);
    user.passwordHash = await hashed(password);
    user.status = input.Permanent === true ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD';
  }),

  /** https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ChangePassword.html */
  ChangePassword: changing(ownerOf, async ({ pool, user }, input) => {
    if (!(await isPassword(text(input, 'PreviousPassword'), user.passwordHash))) {
      throw notAuthorized('Incorrect username or password.');
    }
    const password = text(input, 'ProposedPassword');
    assertFits(password, pool.passwordPolicy);
    user.passwordHash = await hashed(password);
  }),

  AdminUpdateUserAttributes: changing(userIn, ({ data, user }, input) => {
    const given = namedIn(input);
    if ('sub' in given) throw invalid('Cannot modify an immutable attribute');
    const other = given.email === undefined ? null : findUser(data, given.email);
    if (other && other !== user)
      throw failure('AliasExistsException', 'An account with the given email already exists.');
    user.attributes = { ...user.attributes, ...given };
  }),

  AdminAddUserToGroup: changing(userIn, ({ pool, user }, input) => {
    const group = text(input, 'GroupName');
    if (!pool.groups.includes(group)) throw failure('ResourceNotFoundException', 'Group not found.');
    user.groups = [...new Set([...user.groups, group])];
  }),

  AdminRemoveUserFromGroup: changing(userIn, ({ user }, input) => {
    const group = text(input, 'GroupName');
    user.groups = user.groups.filter((each) => each !== group);
  }),

  async AdminListGroupsForUser(cognito, input) {
    const { pool, user } = await userIn(cognito, input);
    return { Groups: user.groups.map((GroupName) => ({ GroupName, UserPoolId: pool.id })) };
  },

  async AdminGetUser(cognito, input) {
    const { user } = await userIn(cognito, input);
    return { ...described(user), UserAttributes: attributesOf(user), ...secondFactorOf(user) };
  },

  async GetUser(cognito, input) {
    const { user } = await ownerOf(cognito, input);
    return { Username: user.username, UserAttributes: attributesOf(user), ...secondFactorOf(user) };
  },

  AdminDisableUser: changing(userIn, ({ data, user }) => {
    user.isEnabled = false;
    revokeAll(data, user);
  }),

  AdminEnableUser: changing(userIn, ({ user }) => {
    user.isEnabled = true;
  }),

  AdminDeleteUser: changing(userIn, remove),
  DeleteUser: changing(ownerOf, remove),
  AdminUserGlobalSignOut: changing(userIn, ({ data, user }) => revokeAll(data, user)),
  GlobalSignOut: changing(ownerOf, ({ data, user }) => revokeAll(data, user)),

  /** `email = "…"` or `email ^= "…"`, and so `sub` and `username`: one comparison, as Cognito has it. */
  async ListUsers(cognito, input) {
    const { data } = poolIn(cognito, input);
    const limit = typeof input.Limit === 'number' ? Math.min(input.Limit, 60) : 60;
    const from = typeof input.PaginationToken === 'string' ? Number(input.PaginationToken) : 0;
    const filter = typeof input.Filter === 'string' ? input.Filter.trim() : '';
    const [, name = '', sign, value = ''] = /^(\w+)\s*(\^?=)\s*"(.*)"$/.exec(filter) ?? [];
    if (filter !== '' && !['email', 'sub', 'username'].includes(name))
      throw invalid('Error while parsing filter: Invalid filter.');
    const wanted = value.replaceAll('\\"', '"').toLowerCase();
    const isWanted = (user: User) => {
      const found = (
        { sub: user.sub, username: user.username, email: user.attributes.email }[name] ?? ''
      ).toLowerCase();
      return filter === '' || (sign === '=' ? found === wanted : found.startsWith(wanted));
    };
    const users = [...data.users.values()].filter(isWanted);
    const page = users.slice(from, from + limit);
    return {
      Users: page.map((user) => ({ ...described(user), Attributes: attributesOf(user) })),
      ...(from + limit < users.length && { PaginationToken: String(from + limit) }),
    };
  },
};

/** An operation that changes a user and has nothing to say. */
function changing(find: Find, change: (found: Found, input: Input) => unknown): Operation {
  return async (cognito, input) => {
    const found = await find(cognito, input);
    await change(found, input);
    found.user.modifiedAt = cognito.now();
    cognito.directory.save(found.pool.id);
    return {};
  };
}

function remove({ data, user }: Found): void {
  revokeAll(data, user);
  data.users.delete(user.sub);
}

function namedIn({ UserAttributes = [] }: Input): Record<string, string> {
  return Object.fromEntries((UserAttributes as Attribute[]).map(({ Name, Value }) => [Name, Value]));
}

function secondFactorOf({ totp, wantsTotp }: User): object {
  const app = 'SOFTWARE_TOKEN_MFA';
  return totp && wantsTotp ? { UserMFASettingList: [app], PreferredMfaSetting: app } : {};
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
