import { bucketVariable } from '../contract/buckets.ts';
import type { KeyRing } from '../contract/key-ring.ts';
import { procedureVariable } from '../contract/procedures.ts';
import {
  bundleIdVariable,
  type PlatformApplications,
  platformApplicationsVariable,
} from '../contract/push-platforms.ts';
import { queueVariable } from '../contract/queues.ts';
import type { Application, Environment } from '../contract/register.ts';
import { earlierKeysVariable, type SigningKey, signingKeyVariable } from '../contract/signing-keys.ts';
import { type Table, tableVariable } from '../contract/tables.ts';
import {
  changesOwnAccount,
  eventBusVariable,
  mailTransportVariable,
  mailVariable,
  type OfKind,
  ofKind,
  operatorsVariable,
  type Uses,
  userPoolVariables,
} from '../contract/uses.ts';

/** A function's environment. The stack sets exactly these variables, and only those that the function's route needs. */
export type FunctionEnvironment = {
  readonly environment: Environment;
  readonly application: Application;
  readonly variables: Readonly<Record<string, string | undefined>>;
};

export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): FunctionEnvironment {
  const { ENVIRONMENT, APPLICATION } = variables;
  if (!ENVIRONMENT || !APPLICATION) throw new Error('ENVIRONMENT and APPLICATION are not set');
  return { environment: ENVIRONMENT as Environment, application: APPLICATION as Application, variables };
}

/** @throws an Error where the route did not declare the table: the stack then set no name for it. */
export function tableNameOf(environment: Pick<FunctionEnvironment, 'variables'>, table: Table): string {
  const name = environment.variables[tableVariable(table)];
  if (!name)
    throw new Error(`${tableVariable(table)} is not set: the route does not declare that it uses ${table.name}`);
  return name;
}

export type UserPool = {
  readonly id: string;
  readonly clientId: string;
  /** The client whose tokens open the caller's own account; only for `own-account`. */
  readonly ownAccountClientId?: string;
};

function userPoolOf(where: FunctionEnvironment, uses: Uses | undefined): UserPool {
  const pool = { id: given(where, userPoolVariables.id), clientId: given(where, userPoolVariables.clientId) };
  if (!changesOwnAccount(uses)) return pool;
  return { ...pool, ownAccountClientId: given(where, userPoolVariables.ownAccountClientId) };
}

/** The values that a declaration's `uses` names, beside tables and the user pool. */
export type Named<U> = {
  /** The addresses of the queues to send to. */
  readonly queues: { readonly [Q in OfKind<U, 'queue'>['queue']['name']]: string };
  /** The names of the functions that perform the procedures. */
  readonly procedures: { readonly [P in OfKind<U, 'procedure'>['procedure']['name']]: string };
  /** The ARNs of the keys that sign at present. */
  readonly signingKeys: { readonly [K in OfKind<U, 'signingKey'>['signingKey']['name']]: string };
  readonly buckets: { readonly [B in OfKind<U, 'bucket'>['bucket']['name']]: string };
  /** The secrets themselves: their known keys. */
  readonly secrets: { readonly [S in OfKind<U, 'secret'>['secret']['name']]: KeyRing };
  readonly eventBus: [OfKind<U, 'eventBus'>] extends [never] ? undefined : string;
  /** The ARN of the topic that notifies people. */
  readonly operators: [OfKind<U, 'operators'>] extends [never] ? undefined : string;
  /** The sender of mail. */
  readonly mailFrom: [OfKind<U, 'mail'>] extends [never] ? undefined : string;
  /** The configuration set that lets a mail go by TLS only. */
  readonly mailTransport: [OfKind<U, 'mail'>] extends [never] ? undefined : string;
  /** The user pool and the app's client. */
  readonly userPool: [OfKind<U, 'userPool'>] extends [never] ? undefined : UserPool;
};

/** @throws an Error where the stack did not set a value that the declaration names. */
export function namedIn<const U extends Uses>(uses: U | undefined, where: FunctionEnvironment): Named<U> {
  const value = (variable: string) => given(where, variable);
  const named = <D extends { readonly name: string }>(declared: readonly D[], variable: (one: D) => string) =>
    Object.fromEntries(declared.map((one) => [one.name, value(variable(one))]));
  return {
    queues: named(
      ofKind(uses, 'queue').map(({ queue }) => queue),
      queueVariable,
    ),
    procedures: named(
      ofKind(uses, 'procedure').map(({ procedure }) => procedure),
      procedureVariable,
    ),
    signingKeys: named(
      ofKind(uses, 'signingKey').map(({ signingKey }) => signingKey),
      signingKeyVariable,
    ),
    buckets: named(
      ofKind(uses, 'bucket').map(({ bucket }) => bucket),
      bucketVariable,
    ),
    secrets: Object.fromEntries(ofKind(uses, 'secret').map(({ secret, ringIn }) => [secret.name, ringIn(value)])),
    eventBus: ofKind(uses, 'eventBus').length > 0 ? value(eventBusVariable) : undefined,
    operators: ofKind(uses, 'operators').length > 0 ? value(operatorsVariable) : undefined,
    mailFrom: ofKind(uses, 'mail').length > 0 ? value(mailVariable) : undefined,
    mailTransport: ofKind(uses, 'mail').length > 0 ? value(mailTransportVariable) : undefined,
    userPool: ofKind(uses, 'userPool').length > 0 ? userPoolOf(where, uses) : undefined,
  } as unknown as Named<U>;
}

/**
 * The ARNs of the key's other generations, which signed earlier or will sign next. Empty for a function that does not
 * declare that it continues from them.
 */
export function earlierKeysOf({ variables }: FunctionEnvironment, key: SigningKey): readonly string[] {
  return variables[earlierKeysVariable(key)]?.split(',') ?? [];
}

/** @throws an Error where the stack did not set the variable. */
export function given({ variables }: FunctionEnvironment, variable: string): string {
  const value = variables[variable];
  if (!value) throw new Error(`${variable} is not set: the stack gives it where a declaration's uses name it`);
  return value;
}

/** @throws an Error where the route did not declare that it uses the push platforms. */
export function platformApplicationsOf({ variables }: FunctionEnvironment): PlatformApplications {
  const written = variables[platformApplicationsVariable];
  if (!written) throw new Error('PLATFORM_APPLICATIONS is not set: the stack gives them where PushPlatforms is used');
  return JSON.parse(written) as PlatformApplications;
}

/** @throws an Error where the route or consumer did not declare that it publishes pushes. */
export function bundleIdOf({ variables }: FunctionEnvironment): string {
  const bundleId = variables[bundleIdVariable];
  if (!bundleId) throw new Error('IOS_BUNDLE_ID is not set: the stack gives it where PushPlatforms is for publishing');
  return bundleId;
}
