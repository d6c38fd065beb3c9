import { randomUUID } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import { dueKeyOf } from '../../functions/erasure/rules/due.ts';
import { erasureKeyOf } from '../../functions/erasure/rules/erasure.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import type { Application } from '../../lib/contract/register.ts';
import type { Call as DynamoCall, Fault } from '../../lib/local/dynamodb/front.ts';
import type { UserPoolCall, UserPoolFault } from '../../lib/local/identity/cognito/front.ts';
import type { Fault as ServiceFault } from '../../lib/local/service/faults.ts';
import type { SnsCall } from '../../lib/local/sns/sns.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { publicKeyOf } from '../../lib/runtime/sign.ts';
import { callsAt, comparable, tokenAt } from '../caller-at.ts';
import { partition } from '../partition.ts';

/** A stage for this file: users with passwords, scheduled functions that tests start, moved clocks, and faults. */

type Faults = {
  pool?: (call: UserPoolCall) => UserPoolFault | undefined;
  dynamo?: (call: DynamoCall) => Fault | undefined | Promise<Fault | undefined>;
  sns?: (call: SnsCall) => ServiceFault | undefined;
};
type Key = Record<string, unknown>;

export function erasureStage() {
  let stage: RunningStage;
  let data: DynamoDBDocumentClient;
  const faults: Faults = {};
  const log: string[] = [];

  beforeAll(async () => {
    stage = await startStage({
      seed,
      rateLimit: false,
      initWork: false,
      onLog: (fn, _id, line) => log.push(`${fn.operation} ${line}`),
      intercept: {
        dynamodb: (call) => faults.dynamo?.(call),
        cognito: (call) => faults.pool?.(call),
        sns: (call) => faults.sns?.(call),
      },
    });
    const { endpoint, region, credentials } = stage.data;
    data = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  });
  beforeEach(() => {
    for (const name of Object.keys(faults) as (keyof Faults)[]) delete faults[name];
    log.length = 0;
  });
  afterAll(async () => {
    data.destroy();
    await stage.close();
  });

  async function call(
    method: string,
    path: string,
    more: { token?: string; body?: unknown; application?: Application; headers?: Record<string, string> } = {},
  ) {
    const { token = null, body, application = 'sleepcare', headers } = more;
    return comparable(callsAt(stage, application, token))(method, path, body, headers);
  }

  const as = (token: string, application: Application) => comparable(callsAt(stage, application, token));

  /** A user with a token that the stage made; the user pool does not know the user. */
  const tokenOf = (roles: string, application: Application, user: string = randomUUID()) =>
    tokenAt(stage, { user, roles, application });

  /**
   * The requests of a user of sleepcare with a new token that the stage made. It is in no list of sessions: an end of the
   * sessions in the next ten seconds lets it in, as does one before.
   */
  const signedInAnew = async (userId: string) => as(await tokenOf('patient', 'sleepcare', userId), 'sleepcare');

  /** A user of the pool, signed in. */
  async function person(application: Application = 'sleepcare') {
    const email = `${randomUUID()}@example.com`;
    const password = `Pass-${randomUUID()}`;
    const { region, credentials } = stage.data;
    const pool = stage.model().userPools.find(({ name }) => name.endsWith(application));
    const cognito = new CognitoIdentityProviderClient({ endpoint: stage.issuer.url, region, credentials });
    const user = { UserPoolId: pool?.id, Username: email };
    await cognito.send(new AdminCreateUserCommand(user));
    await cognito.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }));
    const signIn = () =>
      call('POST', '/auth/tokens', { body: { grantType: 'password', username: email, password }, application });
    const { accessToken, refreshToken } = (await signIn()).body;
    const userId = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString()).sub as string;
    const renew = () =>
      call('POST', '/auth/tokens', { body: { grantType: 'refresh_token', refreshToken }, application });
    /** The requests of a new sign-in: the end of the sessions refuses those of this one. */
    const again = async () => as((await signIn()).body.accessToken, application);
    return { userId, email, password, call: as(accessToken, application), codeTo, signIn, again, renew };
  }

  /** The code of the latest mail to an address, once it has come. */
  async function codeTo(address: string): Promise<string> {
    await stage.idle();
    const answer = await fetch(`${stage.url}/_local/mails?to=${encodeURIComponent(address)}`);
    const { items } = (await answer.json()) as { items: { code: string | null }[] };
    const code = items.at(-1)?.code;
    if (!code) throw new Error('no code came');
    return code;
  }

  const read = async (table: string, key: Key) =>
    (await data.send(new GetCommand({ TableName: stage.data.tables(table), Key: key, ConsistentRead: true }))).Item;
  const put = async (table: string, Item: Key) =>
    data.send(new PutCommand({ TableName: stage.data.tables(table), Item }));
  const rows = async (table: string, name: string, value: string) => {
    return partition(data, stage.data.tables(table), { [name]: value });
  };
  const remove = async (table: string, key: Key) =>
    data.send(new DeleteCommand({ TableName: stage.data.tables(table), Key: key }));

  const run = async (
    operation: 'erase-accounts' | 'release-consents' | 'remind-of-questionnaires',
    application: Application = 'sleepcare',
  ) => {
    const name = application === 'sleepcare' ? '-Sleepcare/' : '-Medinfo/';
    const found = stage.model().schedules.find((rule) => rule.operation === operation && rule.path.includes(name));
    return stage.invoke(found?.functionArn ?? '', {});
  };

  /** Moves a time of the user's erasure to one second ago. */
  async function bringForward(userId: string, time: 'graceEndsAt' | 'accessEndsAt') {
    const { kind: _k, erasureKey: _e, ...row } = (await read('Erasures', erasureKeyOf(userId))) ?? {};
    const before = row as Erasure;
    const after = { ...before, [time]: new Date(Date.now() - 1000).toISOString() };
    const [left, next] = [dueKeyOf(before), dueKeyOf(after)];
    await put('Erasures', { ...erasureKeyOf(userId), ...after });
    if (left) await remove('Erasures', left);
    if (next) await put('Erasures', { ...next, userId });
    return after;
  }

  /** Ends the grace; sign-in is closed then. */
  async function endGrace(userId: string) {
    const { application } = await bringForward(userId, 'graceEndsAt');
    await run('erase-accounts', application === 'medinfo' ? 'medinfo' : 'sleepcare');
  }

  /** Ends the grace, and expires the user's last access token. */
  async function endAccess(userId: string) {
    const { closedAt } = (await read('Erasures', erasureKeyOf(userId))) ?? {};
    if (!closedAt) await endGrace(userId);
    await bringForward(userId, 'accessEndsAt');
  }

  return {
    call,
    person,
    tokenOf,
    signedInAnew,
    as,
    read,
    put,
    rows,
    remove,
    bringForward,
    endGrace,
    endAccess,
    faults,
    log,
    stage: () => stage,
    data: () => data,
    s3: () => {
      const { s3Endpoint: endpoint, region, credentials } = stage.data;
      return new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    },
    /** The public part of the key that signs tombstones. */
    tombstoneKey: async () => {
      const { kmsEndpoint: endpoint, region, credentials } = stage.data;
      const arn = stage.model().outputs.find(({ name }) => name === 'TombstoneKeyArn')?.value ?? '';
      return publicKeyOf(new KMSClient({ endpoint, region, credentials }), arn);
    },
    /** A caller who can make everything that the app's users need: administrator and researcher. */
    admin: async () => as(await tokenOf('admin,researcher', 'medinfo'), 'medinfo'),
    /** The business rules' time, from the real one: in new environments of functions, which have read no other yet. */
    travel: async (years: number) => {
      await put('Clock', { clockId: 'service', offsetMs: years * 366 * 86_400_000 });
      for (const name of ['release-consents', 'erase-accounts', 'restore-account']) {
        stage.replaceCode(name, stage.model().functions.find(({ operation }) => operation === name)?.codeDir ?? '');
      }
    },
    run,
  };
}
