import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import {
  AdminCreateUserCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { wantedBy } from '../../bin/create-user.ts';
import { stageAccess } from '../../bin/stage-access.ts';
import { tokenOf, run as tokenRun } from '../../bin/token.ts';
import { deployments } from '../../functions/product.ts';
import { credentialsOf } from '../../lib/local/credentials.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { typed } from '../typed.ts';
import { openStage, poolOf } from './stage.ts';

/** `npm run cli -- create-user`, against the local stage's user pools. */

const root = new URL('../..', import.meta.url).pathname;

const own = await openStage();
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
    run: (wanted: Record<string, string>, ...flags: string[]) => {
      const words = ['bin/cli.ts', 'create-user', ...flags, ...argumentsOf(wanted)];
      return promisify(execFile)(process.execPath, words, { cwd: root, env });
    },
    withPassword: (wanted: Record<string, string>, password: string) =>
      typed(['create-user', '--password-stdin', ...argumentsOf(wanted)], env, `${password}\n`),
  };
}

const printed = /^user ([0-9a-f-]{36})\ntemporary password (\S{26})\n$/;
const given = {
  stage: 'prod' as const,
  application: 'medinfo' as const,
  email: 'x@example.com',
  roles: '',
  passwordStdin: false,
  existing: false,
};
const chosen = 'a-long-first-passphrase';

/** As an app does it: the sign-in says that the password is a temporary one, the user chooses another one, and signs in. */
async function firstSignIn(email: string, temporaryPassword: string) {
  const grant = { grantType: 'password', username: email };
  const begun = await own.issue({ ...grant, password: temporaryPassword });
  if (begun.body.code !== 'CHALLENGE_REQUIRED') return begun;
  expect(begun.body.detail).toEqual({ challenge: 'NEW_PASSWORD_REQUIRED' });
  const body = { email, temporaryPassword, password: chosen };
  const replaced = await own.send('POST', '/auth/password/first', { body });
  return replaced.status === 200 ? own.issue({ ...grant, password: chosen }) : replaced;
}

async function staffRow(userId = '') {
  const { endpoint, region, credentials, tables } = own.stage.data;
  const client = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  const Key = { kind: 'staff', userId };
  const { Item } = await client.send(new GetCommand({ TableName: tables('StaffAccounts'), Key, ConsistentRead: true }));
  client.destroy();
  return Item ?? null;
}

test('makes a user with roles, who replaces the temporary password that is printed once', async () => {
  const { run } = command();
  const { stdout } = await run({ email: 'grace@example.com', roles: 'physician,admin' });
  const [, userId, temporary = ''] = printed.exec(stdout) ?? [];
  const { status, body } = await firstSignIn('grace@example.com', temporary);
  expect(status).toBe(200);
  const claims = JSON.parse(Buffer.from(body.accessToken.split('.')[1], 'base64url').toString());
  // Only the row has the roles, from the start, and the administrator is found.
  expect(claims).toMatchObject({ sub: userId });
  expect(claims).not.toHaveProperty('cognito:groups');
  expect(await staffRow(userId)).toMatchObject({ roles: ['admin', 'physician'], status: 'active' });
  const send = (path: string) => own.send('GET', path, { bearer: body.accessToken });
  expect((await send(`/admin/staff/${userId}`)).body).toMatchObject({ email: 'grace@example.com', status: 'active' });
  expect((await send(`/crm/users/${userId}`)).body).toMatchObject({ roles: ['physician', 'admin'] });
  await expect(run({ email: 'grace@example.com', roles: 'physician' })).rejects.toThrow('already exists');
});

test('continues where an earlier run failed, with the roles of the new run', async () => {
  const { run } = command();
  own.state.fault = ({ action }) =>
    action === 'AdminSetUserPassword' ? { exception: 'InvalidParameterException' } : undefined;
  const email = 'hedy@example.com';
  await expect(run({ email, roles: 'physician,admin' })).rejects.toThrow('Not to be done');
  own.reset();
  const { stdout } = await run({ email, roles: 'physician' });
  const [, userId, temporary = ''] = printed.exec(stdout) ?? [];
  const { status, body } = await firstSignIn(email, temporary);
  expect(status).toBe(200);
  const claims = JSON.parse(Buffer.from(body.accessToken.split('.')[1], 'base64url').toString());
  expect(claims).toMatchObject({ sub: userId });
  expect(await staffRow(userId)).toMatchObject({ roles: ['physician'], revision: 2 });
});

test('makes another temporary password for a user who has not replaced the first one', async () => {
  const { run } = command();
  const wanted = { email: 'joan@example.com', roles: 'physician' };
  const [, , first = ''] = printed.exec((await run(wanted)).stdout) ?? [];
  const [, , second = ''] = printed.exec((await run(wanted)).stdout) ?? [];
  expect((await firstSignIn(wanted.email, first)).body.code).toBe('INVALID_CREDENTIALS');
  expect((await firstSignIn(wanted.email, second)).status).toBe(200);
});

test('takes a password from standard input and does not print it', async () => {
  const { withPassword } = command();
  const { code, out } = await withPassword({ email: 'ada@example.com', roles: 'agent' }, 'a password of my own');
  expect([code, out]).toEqual([0, expect.stringMatching(/^user [0-9a-f-]{36}\n$/)]);
  const grant = { grantType: 'password', username: 'ada@example.com', password: 'a password of my own' };
  expect((await own.issue(grant)).status).toBe(200);
  for (const weak of ['short', 'passwordpassword', 'sonnenschein', 'b@example.com'])
    expect((await withPassword({ email: 'b@example.com', roles: 'physician' }, weak)).code, weak).toBe(1);
});

test('gives somebody of the pool without a row the roles that are named, and leaves the password', async () => {
  const email = 'before@example.com';
  const { region } = own.stage.model();
  const { credentials } = own.stage.data;
  const client = new CognitoIdentityProviderClient({ endpoint: own.stage.issuer.url, region, credentials });
  const user = { UserPoolId: poolOf(own.stage, 'medinfo'), Username: email };
  await client.send(new AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS' }));
  await client.send(new AdminSetUserPasswordCommand({ ...user, Password: chosen, Permanent: true }));
  client.destroy();
  const { run } = command();
  const [, userId = ''] =
    /^user ([0-9a-f-]{36})\n$/.exec((await run({ email, roles: 'physician' }, '--existing')).stdout) ?? [];
  expect(await staffRow(userId)).toMatchObject({ email, roles: ['physician'], status: 'active' });
  expect((await own.issue({ grantType: 'password', username: email, password: chosen })).status).toBe(200);
  for (const more of [{ application: 'sleepcare' as const }, { passwordStdin: true }])
    expect(() => wantedBy({ ...given, ...more, existing: true })).toThrow('--existing is for users of medinfo');
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
  [{ roles: 'developer' }, 'medinfo has no role "developer" in prod'],
  [{ email: '' }, 'is no address'],
  [{ email: 'nobody' }, 'nobody is no address'],
])('wrong arguments are reported before any call: %j', (wrong, message) => {
  expect(() => wantedBy({ ...given, ...wrong })).toThrow(message);
});

test('an address has the form that the functions look for', () => {
  expect(wantedBy({ ...given, email: 'anna@müller.example' }).email).toBe('anna@xn--mller-kva.example');
});

test('new roles are roles like the others', () => {
  expect(wantedBy({ ...given, roles: 'researcher,clinical-safety' }).roles).toEqual(['researcher', 'clinical-safety']);
});

test.each(['sleepcare', 'medinfo'] as const)(
  'a token for tests of %s: the user is made, or gets another password',
  async (application) => {
    vi.stubEnv('PORT', String(own.stage.port));
    const access = await stageAccess({ local: true });
    const asked = { email: 'smoke@example.com', roles: [application === 'medinfo' ? 'admin' : 'patient'], application };
    for (const _time of ['first', 'second']) {
      const token = await tokenOf(access, { ...asked, client: 'mobile-app' });
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(`${own.stage.url}${deployments[application].basePath}/users/me`, { headers });
      expect([answer.status, ((await answer.json()) as { email: string }).email]).toEqual([200, asked.email]);
    }
  },
);

test('a token of nobody’s role', async () => {
  vi.stubEnv('PORT', String(own.stage.port));
  const log = vi.spyOn(console, 'log').mockReturnValue();
  await tokenRun({ user: randomUUID(), roles: 'none', application: 'sleepcare' });
  const headers = { Authorization: `Bearer ${log.mock.calls[0]?.[0]}` };
  log.mockRestore();
  const answer = await fetch(`${own.stage.url}${deployments.sleepcare.basePath}/users/me`, { headers });
  expect([answer.status, ((await answer.json()) as { roles: string[] }).roles]).toEqual([200, []]);
});
