import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { signDigest } from '../local/kms/ecdsa.ts';

/**
 * What functions reach beside the tables, in memory: queues, mails, pushes, events, objects, user pools and signing keys. It
 * answers only what the functions ask; an action that is missing here fails by name.
 */

export type Message = {
  readonly id: string;
  readonly body: string;
  /** How often it was received. */
  readonly receives: number;
  /** Milliseconds since 1970. */
  readonly visibleAt: number;
};

export type Stored = { readonly id: string; readonly body: Buffer; readonly at: number; readonly hold?: boolean };

export type PoolUser = {
  readonly sub: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  readonly groups: readonly string[];
  readonly status: string;
  /** Password and times at which all sessions were ended. */
  readonly password: string | null;
  readonly signedOut: number;
  /** Whether sign-in asks for a code of an authenticator app. */
  readonly hasApp?: boolean;
};

export type Push = {
  readonly endpoint: string;
  readonly token: string;
  readonly message: string;
  readonly isVisible: boolean;
};

/** Lists and records of values that are replaced and never changed. */
export type OutsideState = {
  readonly queues: Record<string, Message[]>;
  readonly deadLetters: { readonly from: string; readonly body: string }[];
  readonly mails: { readonly to: string; readonly subject: string; readonly text: string }[];
  readonly pushes: Push[];
  readonly events: { readonly type: string; readonly detail: Record<string, unknown> }[];
  readonly notices: string[];
  readonly objects: Record<string, Stored[]>;
  readonly endpoints: Record<string, { readonly token: string; readonly enabled: boolean }>;
  readonly users: Record<string, PoolUser>;
  /** Refresh tokens, `<user>.<session>.<number>`, and whether each still renews: a number is until when, since it was replaced. */
  readonly tokens: Record<string, boolean | number>;
  made: number;
};

export function nothingOutside(): OutsideState {
  return {
    queues: {},
    deadLetters: [],
    mails: [],
    pushes: [],
    events: [],
    notices: [],
    objects: {},
    endpoints: {},
    users: {},
    tokens: {},
    made: 0,
  };
}

/** A copy that later changes do not reach. */
export function copyOf(state: OutsideState): OutsideState {
  const lists = <T>(record: Record<string, T[]>) =>
    Object.fromEntries(Object.entries(record).map(([name, list]) => [name, [...list]]));
  return {
    queues: lists(state.queues),
    deadLetters: [...state.deadLetters],
    mails: [...state.mails],
    pushes: [...state.pushes],
    events: [...state.events],
    notices: [...state.notices],
    objects: { ...state.objects },
    endpoints: { ...state.endpoints },
    users: { ...state.users },
    tokens: { ...state.tokens },
    made: state.made,
  };
}

/** An error of AWS, by the name of its class in the SDK. */
export class OutsideFailure extends Error {
  constructor(name: string, message = name) {
    super(message);
    this.name = name;
  }
}

type Input = Record<string, unknown>;
type Act = (state: OutsideState, input: Input, now: number) => unknown;

const text = (input: Input, name: string) => String(input[name] ?? '');
const fresh = (state: OutsideState, what: string) => {
  state.made += 1;
  return `${what}-${state.made}`;
};

function queueNamed(state: OutsideState, url: string): Message[] {
  const name = url.split('/').at(-1) ?? url;
  state.queues[name] ??= [];
  return state.queues[name];
}

const sqs: Record<string, Act> = {
  SendMessageBatch: (state, input, now) => {
    const queue = queueNamed(state, text(input, 'QueueUrl'));
    const entries = (input.Entries ?? []) as { Id: string; MessageBody: string; DelaySeconds?: number }[];
    for (const { MessageBody, DelaySeconds = 0 } of entries) {
      queue.push({ id: fresh(state, 'message'), body: MessageBody, receives: 0, visibleAt: now + DelaySeconds * 1000 });
    }
    return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
  },
};

const sesv2: Record<string, Act> = {
  SendEmail: (state, input) => {
    const { Destination, Content } = input as {
      Destination: { ToAddresses: string[] };
      Content: { Simple?: { Subject: { Data: string }; Body: { Text?: { Data: string } } } };
    };
    const subject = Content.Simple?.Subject.Data ?? '';
    const body = Content.Simple?.Body.Text?.Data ?? '';
    state.mails.push({ to: Destination.ToAddresses[0] ?? '', subject, text: body });
    return { MessageId: fresh(state, 'mail') };
  },
};

const eventbridge: Record<string, Act> = {
  PutEvents: (state, input) => ({
    FailedEntryCount: 0,
    Entries: ((input.Entries ?? []) as { DetailType: string; Detail: string }[]).map(({ DetailType, Detail }) => {
      state.events.push({ type: DetailType, detail: JSON.parse(Detail) as Record<string, unknown> });
      return { EventId: fresh(state, 'event') };
    }),
  }),
};

const sns: Record<string, Act> = {
  Publish: (state, input) => {
    const target = text(input, 'TargetArn');
    if (!target) {
      state.notices.push(text(input, 'Message'));
      return { MessageId: fresh(state, 'notice') };
    }
    const endpoint = state.endpoints[target];
    if (!endpoint) {
      throw new OutsideFailure(
        'InvalidParameterException',
        'Invalid parameter: TargetArn Reason: No endpoint found for the target arn specified',
      );
    }
    if (!endpoint.enabled) throw new OutsideFailure('EndpointDisabledException');
    const message = text(input, 'Message');
    // A silent push shows nothing (badge_sync).
    const isVisible = /\\?"alert\\?"|\\?"notification\\?"/.test(message);
    state.pushes.push({ endpoint: target, token: endpoint.token, message, isVisible });
    return { MessageId: fresh(state, 'push') };
  },
  CreatePlatformEndpoint: (state, input) => {
    const [application, token] = [text(input, 'PlatformApplicationArn'), text(input, 'Token')];
    const prefix = application.replace(':app/', ':endpoint/');
    const known = Object.entries(state.endpoints).find(
      ([arn, endpoint]) => arn.startsWith(`${prefix}/`) && endpoint.token === token,
    );
    if (known) {
      if (known[1].enabled) return { EndpointArn: known[0] };
      const sentence = `Invalid parameter: Token Reason: Endpoint ${known[0]} already exists with the same Token, but different attributes.`;
      throw new OutsideFailure('InvalidParameterException', sentence);
    }
    const arn = `${prefix}/${fresh(state, 'endpoint')}`;
    state.endpoints[arn] = { token, enabled: true };
    return { EndpointArn: arn };
  },
  GetEndpointAttributes: (state, input) => {
    const endpoint = state.endpoints[text(input, 'EndpointArn')];
    if (!endpoint) throw new OutsideFailure('NotFoundException', 'Endpoint does not exist');
    return { Attributes: { Token: endpoint.token, Enabled: String(endpoint.enabled) } };
  },
  SetEndpointAttributes: (state, input) => {
    const arn = text(input, 'EndpointArn');
    const endpoint = state.endpoints[arn];
    if (!endpoint) throw new OutsideFailure('NotFoundException', 'Endpoint does not exist');
    const { Token = endpoint.token, Enabled } = (input.Attributes ?? {}) as { Token?: string; Enabled?: string };
    const platform = arn.slice(0, arn.lastIndexOf('/'));
    const other = Object.entries(state.endpoints).find(
      ([each, { token }]) => each !== arn && each.startsWith(`${platform}/`) && token === Token,
    );
    if (other) {
      const sentence = `Invalid parameter: Token Reason: Endpoint ${other[0]} already exists with the same Token, but different attributes.`;
      throw new OutsideFailure('InvalidParameterException', sentence);
    }
    state.endpoints[arn] = { token: Token, enabled: Enabled === undefined ? endpoint.enabled : Enabled === 'true' };
    return {};
  },
  DeleteEndpoint: (state, input) => {
    delete state.endpoints[text(input, 'EndpointArn')];
    return {};
  },
};

const s3: Record<string, Act> = {
  PutObject: (state, input, now) => {
    const key = `${text(input, 'Bucket')}/${text(input, 'Key')}`;
    const versions = state.objects[key] ?? [];
    if (input.IfNoneMatch === '*' && versions.length > 0) throw new OutsideFailure('PreconditionFailed');
    const id = fresh(state, 'version');
    const body = Buffer.from(input.Body as string | Uint8Array);
    state.objects[key] = [...versions, { id, body, at: now }];
    return { VersionId: id, ETag: `"${createHash('md5').update(body).digest('hex')}"` };
  },
  GetObject: (state, input) => {
    const versions = state.objects[`${text(input, 'Bucket')}/${text(input, 'Key')}`] ?? [];
    const found = input.VersionId ? versions.find(({ id }) => id === input.VersionId) : versions.at(-1);
    if (!found) throw new OutsideFailure(input.VersionId ? 'NoSuchVersion' : 'NoSuchKey');
    return {
      Body: {
        transformToByteArray: async () => new Uint8Array(found.body),
        transformToString: async () => Buffer.from(found.body).toString(),
        async *[Symbol.asyncIterator]() {
          yield new Uint8Array(found.body);
        },
      },
      ContentLength: found.body.length,
      LastModified: new Date(found.at),
      VersionId: found.id,
    };
  },
  HeadObject: (state, input) => {
    const found = (state.objects[`${text(input, 'Bucket')}/${text(input, 'Key')}`] ?? []).at(-1);
    if (!found) throw new OutsideFailure('NotFound');
    return { ContentLength: found.body.length, LastModified: new Date(found.at), VersionId: found.id };
  },
  DeleteObject: (state, input) => {
    delete state.objects[`${text(input, 'Bucket')}/${text(input, 'Key')}`];
    return {};
  },
  PutObjectLegalHold: (state, input) => {
    const key = `${text(input, 'Bucket')}/${text(input, 'Key')}`;
    const hold = (input.LegalHold as { Status?: string } | undefined)?.Status === 'ON';
    state.objects[key] = (state.objects[key] ?? []).map((each) => ({ ...each, hold }));
    return {};
  },
  ListObjectsV2: (state, input) => {
    const bucket = `${text(input, 'Bucket')}/`;
    const Contents = Object.entries(state.objects)
      .filter(([key, versions]) => key.startsWith(bucket + text(input, 'Prefix')) && versions.length > 0)
      .map(([key, versions]) => ({
        Key: key.slice(bucket.length),
        Size: versions.at(-1)?.body.length,
        LastModified: new Date(versions.at(-1)?.at ?? 0),
      }))
      .filter(({ Key }) => Key > text(input, 'StartAfter'))
      .sort((one, other) => (one.Key < other.Key ? -1 : 1));
    return { Contents, KeyCount: Contents.length, IsTruncated: false };
  },
  ListObjectVersions: (state, input) => {
    const bucket = `${text(input, 'Bucket')}/`;
    const prefix = bucket + text(input, 'Prefix');
    const keys = Object.keys(state.objects)
      .filter((key) => key.startsWith(prefix))
      .sort();
    const Versions = keys.flatMap((key) =>
      [...(state.objects[key] ?? [])]
        .reverse()
        .map(({ id, at }) => ({ Key: key.slice(bucket.length), VersionId: id, LastModified: new Date(at) })),
    );
    return { Versions, DeleteMarkers: [], IsTruncated: false };
  },
};

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

const cognito: Record<string, Act> = {
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

/** A key on P-256 for each ARN; the same in each run, since it follows from the ARN. */
const keys = new Map<string, KeyObject>();
const signatures = new Map<string, Buffer>();

function keyOf(arn: string): KeyObject {
  const known = keys.get(arn);
  if (known) return known;
  // PKCS #8 of a private key on P-256 (RFC 5915), without its public part, which OpenSSL computes.
  const d = createHash('sha256').update(arn).digest();
  const der = Buffer.concat([
    Buffer.from('3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420', 'hex'),
    d,
  ]);
  const made = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  keys.set(arn, made);
  return made;
}

const kms: Record<string, Act> = {
  Sign: (_, input) => {
    const arn = text(input, 'KeyId');
    const given = Buffer.from(input.Message as Uint8Array);
    const digest = input.MessageType === 'DIGEST' ? given : createHash('sha256').update(given).digest();
    const name = `${arn} ${digest.toString('hex')}`;
    // The nonce is random, so a signature is kept: the same message has the same one in every schedule of a run.
    const known = signatures.get(name) ?? signDigest(digest, keyOf(arn));
    signatures.set(name, known);
    return { KeyId: arn, Signature: new Uint8Array(known), SigningAlgorithm: 'ECDSA_SHA_256' };
  },
  GetPublicKey: (_, input) => {
    const arn = text(input, 'KeyId');
    const PublicKey = new Uint8Array(createPublicKey(keyOf(arn)).export({ format: 'der', type: 'spki' }));
    return { KeyId: arn, PublicKey, KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' };
  },
};

const services: Record<string, Record<string, Act>> = {
  sqs,
  sesv2,
  eventbridge,
  sns,
  s3,
  kms,
  'cognito-identity-provider': cognito,
};

/** Answers one call of a service beside DynamoDB. @throws an OutsideFailure, or an Error where the action is missing here */
export function answerOutside(
  state: OutsideState,
  service: string,
  action: string,
  input: Input,
  now: number,
): unknown {
  const act = services[service]?.[action];
  if (!act) throw new Error(`the explorer knows no ${service} ${action}`);
  return act(state, input, now);
}

/** What a call of a service changes or reads, for the order of calls; null where calls of it commute with every other. */
export function placeOutside(
  service: string,
  action: string,
  input: Input,
): { place: string; partition?: string; writes: boolean } | null {
  switch (service) {
    case 'kms':
      return null;
    case 'sqs':
      return { place: `queue ${text(input, 'QueueUrl').split('/').at(-1)}`, writes: true };
    case 's3': {
      // A list is of many keys.
      const key = text(input, 'Key');
      return { place: 'objects', ...(key && { partition: key }), writes: !/^(Get|Head|List)/.test(action) };
    }
    case 'sns': {
      // A token is looked for among all endpoints.
      const arn = /^(Create|Set)/.test(action) ? '' : text(input, 'TargetArn') || text(input, 'EndpointArn');
      return { place: 'endpoints', ...(arn && { partition: arn }), writes: action !== 'GetEndpointAttributes' };
    }
    case 'cognito-identity-provider':
      return { place: `user ${text(input, 'Username')}`, writes: !/^Admin(Get|List)/.test(action) };
    default:
      return { place: service, writes: true };
  }
}
