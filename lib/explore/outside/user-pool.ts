import { type Act, fresh, type Input, OutsideFailure, type OutsideState, type PoolUser, text } from './state.ts';

/** Cognito: users, their groups, and the refresh tokens that still renew. */

/** The pools tell no two spellings of one address apart by case. */
const hasAddress = ({ attributes }: PoolUser, address: string | undefined) =>
  attributes.email !== undefined && attributes.email.toLowerCase() === address?.toLowerCase();

const user = (state: OutsideState, input: Input): [string, PoolUser] => {
  const name = text(input, 'Username');
  const found = Object.entries(state.users).find(
    ([key, each]) => key === name || each.sub === name || hasAddress(each, name),
  );
  if (!found) throw new OutsideFailure('UserNotFoundException');
  return found;
};
const change = (state: OutsideState, input: Input, changed: (known: PoolUser) => Partial<PoolUser>) => {
  const [key, known] = user(state, input);
  state.users[key] = { ...known, ...changed(known) };
  return {};
};
const listed = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
const named = (attributes: unknown): Record<string, string> =>
  Object.fromEntries(((attributes ?? []) as { Name: string; Value: string }[]).map(({ Name, Value }) => [Name, Value]));

/** Of every authenticator app, always, and as often as it is typed. */
export const presentCode = '123456';

/** Nobody checks its signature: the authorizer is not in the explorer. */
function accessOf(name: string, { sub }: PoolUser, token: string, now: number) {
  const [, origin_jti] = token.split('.');
  const claims = { sub, username: name, origin_jti, auth_time: Math.floor(now / 1000), token_use: 'access' };
  const AccessToken = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.e30`;
  return { AccessToken, RefreshToken: token, ExpiresIn: 900, TokenType: 'Bearer' };
}

function signedIn(state: OutsideState, name: string, user: PoolUser, now: number) {
  const token = `${name}.${fresh(state, 'session')}.1`;
  state.tokens[token] = true;
  return { AuthenticationResult: accessOf(name, user, token, now) };
}

function claimsIn(token: string): { sub: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
}

export const cognito: Record<string, Act> = {
  AdminInitiateAuth: (state, input, now) => {
    const { USERNAME = '', PASSWORD } = (input.AuthParameters ?? {}) as Record<string, string>;
    const found = Object.entries(state.users).find(([key, each]) => key === USERNAME || hasAddress(each, USERNAME));
    if (!found || found[1].password !== PASSWORD) throw new OutsideFailure('NotAuthorizedException');
    const [name, known] = found;
    if (!known.enabled) throw new OutsideFailure('NotAuthorizedException', 'User is disabled.');
    const Session = `${fresh(state, 'session')}-of-a-challenge-of-the-pool`;
    const ChallengeParameters = { USER_ID_FOR_SRP: name };
    if (known.status === 'FORCE_CHANGE_PASSWORD') {
      return { ChallengeName: 'NEW_PASSWORD_REQUIRED', Session, ChallengeParameters };
    }
    if (known.hasApp) return { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session, ChallengeParameters };
    return signedIn(state, name, known, now);
  },
  AdminRespondToAuthChallenge: (state, input, now) => {
    const responses = (input.ChallengeResponses ?? {}) as Record<string, string>;
    const [name, known] = user(state, { Username: responses.USERNAME });
    if (input.ChallengeName === 'NEW_PASSWORD_REQUIRED') {
      if (known.status !== 'FORCE_CHANGE_PASSWORD') throw new OutsideFailure('NotAuthorizedException');
      state.users[name] = { ...known, password: responses.NEW_PASSWORD ?? null, status: 'CONFIRMED' };
    } else if (responses.SOFTWARE_TOKEN_MFA_CODE !== presentCode) throw new OutsideFailure('CodeMismatchException');
    return signedIn(state, name, known, now);
  },
  AdminGetUser: (state, input) => {
    const [Username, { sub, attributes, enabled, status }] = user(state, input);
    return { Username, UserAttributes: listed({ sub, ...attributes }), Enabled: enabled, UserStatus: status };
  },
  AdminCreateUser: (state, input) => {
    const attributes = named(input.UserAttributes);
    const taken = Object.values(state.users).some((each) => hasAddress(each, attributes.email));
    if (taken) throw new OutsideFailure('UsernameExistsException');
    const sub = fresh(state, 'user');
    const status = 'FORCE_CHANGE_PASSWORD';
    state.users[sub] = { sub, attributes, enabled: true, groups: [], status, password: null, signedOut: 0 };
    return { User: { Username: sub, Attributes: listed({ sub, ...attributes }), Enabled: true, UserStatus: status } };
  },
  AdminDeleteUser: (state, input) => {
    delete state.users[user(state, input)[0]];
    return {};
  },
  AdminDisableUser: (state, input) => change(state, input, () => ({ enabled: false })),
  AdminEnableUser: (state, input) => change(state, input, () => ({ enabled: true })),
  AdminUserGlobalSignOut: (state, input) => {
    const [name] = user(state, input);
    for (const token of Object.keys(state.tokens)) if (token.startsWith(`${name}.`)) state.tokens[token] = false;
    return change(state, input, ({ signedOut }) => ({ signedOut: signedOut + 1 }));
  },
  AdminListGroupsForUser: (state, input) => ({
    Groups: user(state, input)[1].groups.map((GroupName) => ({ GroupName })),
  }),
  AdminAddUserToGroup: (state, input) =>
    change(state, input, ({ groups }) => ({ groups: [...new Set([...groups, text(input, 'GroupName')])] })),
  AdminRemoveUserFromGroup: (state, input) =>
    change(state, input, ({ groups }) => ({ groups: groups.filter((each) => each !== input.GroupName) })),
  AdminSetUserPassword: (state, input) =>
    change(state, input, () => ({
      password: text(input, 'Password'),
      status: input.Permanent === true ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD',
    })),
  ChangePassword: (state, input) => {
    const { sub } = claimsIn(text(input, 'AccessToken'));
    const [, known] = user(state, { Username: sub });
    if (known.password !== input.PreviousPassword) throw new OutsideFailure('NotAuthorizedException');
    return change(state, { Username: sub }, () => ({ password: text(input, 'ProposedPassword') }));
  },
  AdminUpdateUserAttributes: (state, input) => {
    const wanted = named(input.UserAttributes);
    const [name] = user(state, input);
    const isTaken = Object.entries(state.users).some(([key, each]) => key !== name && hasAddress(each, wanted.email));
    if (isTaken) throw new OutsideFailure('AliasExistsException');
    return change(state, input, ({ attributes }) => ({ attributes: { ...attributes, ...wanted } }));
  },
  SetUserMFAPreference: (state, input) => {
    const { sub } = claimsIn(text(input, 'AccessToken'));
    const { Enabled = false } = (input.SoftwareTokenMfaSettings ?? {}) as { Enabled?: boolean };
    return change(state, { Username: sub }, () => ({ hasApp: Enabled }));
  },
  AdminDeleteSoftwareToken: (state, input) => change(state, input, () => ({ hasApp: false })),
  RevokeToken: (state, input) => {
    state.tokens[text(input, 'Token')] = false;
    return {};
  },
  // Without rotation: the token stays.
  GetTokensFromRefreshToken: (state, input, now) => {
    const token = text(input, 'RefreshToken');
    const [name = ''] = token.split('.');
    const owner = state.users[name];
    if (!state.tokens[token] || !owner?.enabled) throw new OutsideFailure('NotAuthorizedException');
    const { RefreshToken: _stays, ...AuthenticationResult } = accessOf(name, owner, token, now);
    return { AuthenticationResult };
  },
};
