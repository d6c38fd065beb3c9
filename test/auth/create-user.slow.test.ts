import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { AdminCreateUserCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { wantedBy } from '../../bin/wanted-user.ts';
import { credentialsOf } from '../../lib/local/credentials.ts';
import { openStage, poolOf } from './stage.ts';

/** `npm run create-user`, against the local stage's user pools. */

const root = new URL('../..', import.meta.url).pathname;

let own: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  own = await openStage();
});
afterEach(() => own.reset());
afterAll(() => own.stage.close());

function command() {
  const { stage } = own;
  const env = {
    PATH: process.env.PATH,
    PORT: String(stage.port),
  };
  const argumentsOf = (wanted: Record<string, string>) => [
    '--local',
    ...Object.entries({ application: 'medinfo', ...wanted }).flatMap(([name, value]) => [`--${name}`, value]),
  ];
  return {
    run: (wanted: Record<string, string>) =>
      promisify(execFile)(process.execPath, ['bin/create-user.ts', ...argumentsOf(wanted)], { cwd: root, env }),
    withPassword: async (wanted: Record<string, string>, password: string) => {
      const child = spawn(process.execPath, ['bin/create-user.ts', '--password-stdin', ...argumentsOf(wanted)], {
        cwd: root,
        env,
      });
      child.stdin.end(`${password}\n`);
      const printed: Buffer[] = [];
      child.stdout.on('data', (chunk) => printed.push(chunk));
      const code = await new Promise((resolve) => child.on('close', resolve));
      return { code, stdout: Buffer.concat(printed).toString() };
    },
  };
}

async function staffRow(userId = '') {
  const { endpoint, region, credentials, tables } = own.stage.data;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const Key = { kind: 'staff', userId };
  const { Item } = await client.send(new GetCommand({ TableName: tables('StaffAccounts'), Key, ConsistentRead: true }));
  client.destroy();
  return Item ?? null;
}

test('makes a user with roles, who signs in with the password that is printed once', async () => {
  const { run } = command();
  const { stdout } = await run({ email: 'grace@example.com', roles: 'physician,admin' });
  const [, userId, password] = /^user ([0-9a-f-]{36})\npassword (\S{24})\n$/.exec(stdout) ?? [];
  const { status, body } = await own.issue({ grantType: 'password', username: 'grace@example.com', password });
  expect(status).toBe(200);
  const claims = JSON.parse(Buffer.from(body.accessToken.split('.')[1], 'base64url').toString());
  expect(claims).toMatchObject({ sub: userId, 'cognito:groups': ['physician', 'admin'] });
  // The row decides from the start, and the administrator is found.
  expect(await staffRow(userId)).toMatchObject({ roles: ['admin', 'physician'], status: 'active' });
  const send = (path: string) => own.send('GET', path, { bearer: body.accessToken });
  expect((await send(`/admin/staff/${userId}`)).body).toMatchObject({ email: 'grace@example.com', status: 'active' });
  expect((await send(`/crm/users/${userId}`)).body).toMatchObject({ roles: ['physician', 'admin'] });
  await expect(run({ email: 'grace@example.com', roles: '' })).rejects.toThrow('already exists');
});

test('continues where an earlier run failed, with the roles of the new run', async () => {
  const { run } = command();
  own.state.fault = ({ action }) =>
    action === 'AdminSetUserPassword' ? { exception: 'InvalidParameterException' } : undefined;
  const email = 'hedy@example.com';
  await expect(run({ email, roles: 'physician,admin' })).rejects.toThrow('Not to be done');
  own.reset();
  const { stdout } = await run({ email, roles: 'physician' });
  const [, userId, password] = /^user ([0-9a-f-]{36})\npassword (\S{24})\n$/.exec(stdout) ?? [];
  const { status, body } = await own.issue({ grantType: 'password', username: email, password });
  expect(status).toBe(200);
  const claims = JSON.parse(Buffer.from(body.accessToken.split('.')[1], 'base64url').toString());
  expect(claims).toMatchObject({ sub: userId, 'cognito:groups': ['physician'] });
  expect(await staffRow(userId)).toMatchObject({ roles: ['physician'], revision: 2 });
});

test('takes a password from standard input and does not print it', async () => {
  const { withPassword } = command();
  const { code, stdout } = await withPassword({ email: 'ada@example.com', roles: 'agent' }, 'a password of my own');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^user [0-9a-f-]{36}\n$/)]);
  const grant = { grantType: 'password', username: 'ada@example.com', password: 'a password of my own' };
  expect((await own.issue(grant)).status).toBe(200);
  expect((await withPassword({ email: 'b@example.com', roles: '' }, 'short')).code).toBe(1);
});

test('says in one sentence what is wrong', async () => {
  const { run } = command();
  const wanted = { email: 'x@example.com', roles: 'physician' };
  await expect(run({ ...wanted, roles: 'patient' })).rejects.toThrow('medinfo has no role "patient" in dev: physician');
  // A function may sign users in, and make none.
  const signIn = own.stage.model().functions.find(({ operation }) => operation === 'issue-tokens');
  const { region } = own.stage.model();
  const credentials = signIn ? credentialsOf(signIn) : { accessKeyId: '', secretAccessKey: '' };
  const asFunction = new CognitoIdentityProviderClient({ endpoint: own.stage.issuer.url, region, credentials });
  const creation = new AdminCreateUserCommand({ UserPoolId: poolOf(own.stage, 'medinfo'), Username: 'x@example.com' });
  await expect(asFunction.send(creation)).rejects.toThrow('is not authorized to perform: cognito-idp:AdminCreateUser');
  asFunction.destroy();
});

test.each([
  [{ stage: 'prod', roles: 'developer' }, 'medinfo has no role "developer" in prod'],
  [{ stage: 'test' }, 'unknown stage "test"'],
  [{ stage: '' }, 'npm run create-user -- --stage'],
  [{ application: 'x' }, 'npm run create-user -- --stage'],
  [{ email: '' }, 'npm run create-user -- --stage'],
])('wrong arguments are reported before any call: %j', (wrong, message) => {
  const given = { stage: 'dev', application: 'medinfo', email: 'x@example.com', roles: 'physician', ...wrong };
  expect(() => wantedBy(Object.entries(given).map(([name, value]) => `--${name}=${value}`))).toThrow(message);
});

test('new roles are groups like the others', () => {
  const args = ['--stage=prod', '--application=medinfo', '--email=x@example.com'];
  expect(wantedBy([...args, '--roles=researcher,clinical-safety']).roles).toEqual(['researcher', 'clinical-safety']);
});
