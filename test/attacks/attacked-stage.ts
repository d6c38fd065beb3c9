import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AdminCreateUserCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll } from 'vitest';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import { isHeld } from '../../functions/erasure/exports.ts';
import { readTrustedKeys } from '../../functions/ledger/jobs/verify-keys.ts';
import { type Verification, verifyLedger } from '../../functions/ledger/jobs/verify-ledger.ts';
import type { Finding } from '../../functions/ledger/rules/finding.ts';
import type { Application } from '../../lib/contract/register.ts';
import { credentialsOf } from '../../lib/local/credentials.ts';
import type { FunctionModel } from '../../lib/local/model.ts';
import type { SnsCall } from '../../lib/local/sns/wire.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callerAt, callsAt } from '../caller-at.ts';
import { handlesNamed } from '../tables.ts';

/** A stage whose functions' roles are in wrong hands: each attack has exactly what the template grants that role. */

type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string };

/** With this text under the name, DynamoDB takes nothing more in the row: it has 400 KB. @param row its other attributes, texts */
export function filling(row: object, name: string): string {
  return 'x'.repeat(400 * 1024 - name.length - Object.entries(row).flat().join('').length);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export type AttackedStage = ReturnType<typeof attackedStage>;

export function attackedStage() {
  let stage: RunningStage;
  let folder: string;
  const log: string[] = [];
  /** What people were told. */
  const told: string[] = [];
  const opened: { destroy: () => void }[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'attacks-'));
    const onLog = (fn: { operation: string }, _id: string | null, line: string) =>
      void log.push(`${fn.operation} ${line}`);
    const noted = ({ action, parameters }: SnsCall) => {
      if (action === 'Publish' && parameters.TopicArn) told.push(parameters.Message ?? '');
      return undefined;
    };
    stage = await startStage({ seed, rateLimit: false, initWork: false, onLog, intercept: { sns: noted } });
  });
  afterAll(async () => {
    for (const client of opened) client.destroy();
    await stage.close();
    rmSync(folder, { recursive: true });
  });

  /** Each client when it is first used: an attack of every role would open hundreds of them for nothing. */
  function clients(credentials: Credentials) {
    const { endpoint, s3Endpoint, kmsEndpoint, lambdaEndpoint, region } = stage.data;
    const place = { region, credentials, maxAttempts: 1 };
    const noted = <C extends { destroy: () => void }>(made: C): C => {
      opened.push(made);
      return made;
    };
    const dynamo = once(() => noted(documentsOf(new DynamoDBClient({ ...place, endpoint }))));
    const s3 = once(() => noted(new S3Client({ ...place, endpoint: s3Endpoint, forcePathStyle: true })));
    const kms = once(() => noted(new KMSClient({ ...place, endpoint: kmsEndpoint })));
    const lambda = once(() => noted(new LambdaClient({ ...place, endpoint: lambdaEndpoint })));
    return {
      get dynamo() {
        return dynamo();
      },
      get s3() {
        return s3();
      },
      get kms() {
        return kms();
      },
      get lambda() {
        return lambda();
      },
    };
  }

  const known = new Map<string, ReturnType<typeof clients>>();
  function clientsOf(name: string, credentials: () => Credentials) {
    const made = known.get(name) ?? clients(credentials());
    known.set(name, made);
    return made;
  }

  const callerWith = (token: string | null, application: Application = 'sleepcare') =>
    callsAt(stage, application, token);

  const output = (name: string) => stage.model().outputs.find((one) => one.name === name)?.value ?? '';
  const bucket = () => output('EvidenceBucketName');
  const owner = () => clientsOf('owner', () => stage.data.credentials);

  return {
    stage: () => stage,
    log,
    told,
    /** What a function's code could do. @param operation kebab-case, as the function is named */
    as(operation: string, application: Application = 'sleepcare') {
      return clientsOf(`${application} ${operation}`, () => {
        const isIt = (fn: FunctionModel) => fn.operation === operation && fn.environment.APPLICATION === application;
        const fn = stage.model().functions.find(isIt);
        if (!fn) throw new Error(`no function ${operation}`);
        return credentialsOf(fn);
      });
    },
    owner,
    table: (name: string) => stage.data.tables(name),
    output,
    bucket,
    /** Calls as a user of the stage's making. */
    caller: (user: string, roles = 'patient', application: Application = 'sleepcare') =>
      callerAt(stage, { user, roles, application }),
    callerWith,
    async tokens(username: string, password: string) {
      return (await callerWith(null)('POST', '/auth/tokens', { grantType: 'password', username, password })).body;
    },
    /** A patient whom the user pool knows, with a mailbox. */
    async account() {
      const email = `${randomUUID()}@example.com`;
      const password = `Pass-${randomUUID()}`;
      const { region, credentials } = stage.data;
      const cognito = new CognitoIdentityProviderClient({ endpoint: stage.issuer.url, region, credentials });
      const user = { UserPoolId: output('SleepcareUserPoolId'), Username: email };
      await cognito.send(new AdminCreateUserCommand(user));
      await cognito.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }));
      cognito.destroy();
      const tokens = async (body: object) => (await callerWith(null)('POST', '/auth/tokens', body)).body;
      const signIn = () => tokens({ grantType: 'password', username: email, password });
      const { accessToken } = await signIn();
      const { sub } = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString());
      const renew = (refreshToken: string) =>
        callerWith(null)('POST', '/auth/tokens', { grantType: 'refresh_token', refreshToken });
      return { userId: String(sub), email, password, call: callerWith(accessToken), signIn, renew };
    },
    async mailsTo(address: string): Promise<{ subject: string; code: string | null }[]> {
      const answer = await fetch(`${stage.url}/_local/mails?to=${encodeURIComponent(address)}`);
      return ((await answer.json()) as { items: { subject: string; code: string | null }[] }).items;
    },
    async verify(options: Partial<Verification> = {}): Promise<Finding[]> {
      const found: Finding[] = [];
      const { dynamo, s3, kms } = owner();
      const trusted = (name: string) => readTrustedKeys({ kms, arns: [output(`${name}Arn`)], jwks: null });
      const tables = handlesNamed(dynamo, ['ConsentRecords', 'ConsentStates', 'LegalHolds'], stage.data.tables);
      await verifyLedger({
        tables,
        evidence: { s3, bucket: bucket() },
        keys: await trusted('LedgerKey'),
        tombstoneKeys: await trusted('TombstoneKey'),
        importKeys: await trusted('ImportKey'),
        environment: 'dev',
        retentionYears: 10,
        graceMs: 0,
        isHeld: (userId) => isHeld(tables.LegalHolds, userId),
        directory: join(folder, 'work'),
        segments: 1,
        found: (finding) => void found.push(finding),
        ...options,
      });
      return found;
    },
  };
}
