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

/** As lib/contract/tokens.ts. */
const rotationGraceMs = 60_000;

/** Nobody checks its signature: the authorizer is not in the explorer. */
function accessOf(name: string, { sub }: PoolUser, token: string, now: number) {
  const [, origin_jti] = token.split('.');
  const claims = { sub, username: name, origin_jti, auth_time: Math.floor(now / 1000), token_use: 'access' };
  const AccessToken = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.e30`;
  return { AccessToken, RefreshToken: token, ExpiresIn: 900, TokenType: 'Bearer' };
}

function claimsIn(token: string): { sub: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
}

export const cognito: Record<string, Act> = {
  AdminInitiateAuth: (state, input, now) => {
    const { USERNAME = '', PASSWORD } = (input.AuthParameters ?? {}) as Record<string, string>;
    const found = Object.entries(state.users).find(([key, each]) => key === USERNAME || hasAddress(each, USERNAME));
    if (!found || found[1].password !== PASSWORD || !found[1].enabled)
      throw new OutsideFailure('NotAuthorizedException');
    const [name, known] = found;
    const Session = `${fresh(state, 'session')}-of-a-challenge-of-the-pool`;
    const ChallengeParameters = { USER_ID_FOR_SRP: name };
    if (known.status === 'FORCE_CHANGE_PASSWORD') {
      return { ChallengeName: 'NEW_PASSWORD_REQUIRED', Session, ChallengeParameters };
    }
    if (known.hasApp) return { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session, ChallengeParameters };
    const token = `${name}.${fresh(state, 'session')}.1`;
    state.tokens[token] = true;
    return { AuthenticationResult: accessOf(name, known, token, now) };
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
    change(state, input, () => ({ password: text(input, 'Password'), status: 'CONFIRMED' })),
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
  // It ends this token only, and not the others of its sign-in: the weaker reading of Cognito's reference.
  RevokeToken: (state, input) => {
    state.tokens[text(input, 'Token')] = false;
    return {};
  },
  GetTokensFromRefreshToken: (state, input, now) => {
    const token = text(input, 'RefreshToken');
    const stored = state.tokens[token];
    const [name = '', session = ''] = token.split('.');
    const owner = state.users[name];
    if (!stored || !owner?.enabled) throw new OutsideFailure('NotAuthorizedException');
    if (typeof stored === 'number' && now >= stored) throw new OutsideFailure('RefreshTokenReuseException');
    // Rotation: what is presented again within the grace gets one more token.
    state.tokens[token] = stored === true ? now + rotationGraceMs : stored;
    const next = `${name}.${session}.${fresh(state, 'rotated')}`;
    state.tokens[next] = true;
    return { AuthenticationResult: accessOf(name, owner, next, now) };
  },
};
