import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  type CognitoIdentityProviderClient,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { cognito } from '../lib/runtime/cognito.ts';
import { stateOutput } from './stack-outputs.ts';
import { wantedBy } from './wanted-user.ts';

/**
 * `npm run create-user -- --stage prod --application medinfo --email … --roles physician,admin`: a user of a deployed
 * stage, with the shell's AWS credentials and region. It prints the user's id and a password made for them, once;
 * `--password-stdin` takes one from standard input instead. The password is permanent, since the API offers no way to
 * replace a temporary one. `--user-pool` names the pool itself. Where it failed halfway it can be run again.
 */

try {
  const { stage, application, email, roles, isGiven, userPool } = wantedBy(process.argv.slice(2));
  const password = isGiven ? (await text(process.stdin)).replace(/\r?\n$/, '') : generated();
  const pool = userPool ?? (await stateOutput(stage, `${capital(application)}UserPoolId`));
  const userId = await createUser(cognito(), pool, { email, password, roles });
  console.log([`user ${userId}`, ...(isGiven ? [] : [`password ${password}`])].join('\n'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

type Wanted = { email: string; password: string; roles: readonly string[] };

/** @returns the user's id, the `sub` of its tokens */
async function createUser(client: CognitoIdentityProviderClient, pool: string, { email, password, roles }: Wanted) {
  const command = new AdminCreateUserCommand({
    UserPoolId: pool,
    Username: email,
    // Checked against the pool's policy before there is a user.
    TemporaryPassword: password,
    MessageAction: 'SUPPRESS',
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ],
  });
  const { Username = email, Attributes } = await client.send(command).then(
    ({ User }) => User ?? {},
    (error) => begunUser(client, { UserPoolId: pool, Username: email }, error),
  );
  const user = { UserPoolId: pool, Username };
  for (const GroupName of roles) await client.send(new AdminAddUserToGroupCommand({ ...user, GroupName }));
  // Last: until then nobody can sign in with half of the roles.
  await client.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }));
  return Attributes?.find(({ Name }) => Name === 'sub')?.Value ?? Username;
}

/**
 * The user whom an earlier run created and did not finish, who has no password yet, without the roles of that run.
 * @throws `error` where creating failed for another reason, and where the user has a password
 */
async function begunUser(
  client: CognitoIdentityProviderClient,
  user: { UserPoolId: string; Username: string },
  error: unknown,
) {
  if (!(error instanceof UsernameExistsException)) throw error;
  const { Username, UserStatus, UserAttributes: Attributes } = await client.send(new AdminGetUserCommand(user));
  if (UserStatus !== 'FORCE_CHANGE_PASSWORD') throw error;
  const { Groups = [] } = await client.send(new AdminListGroupsForUserCommand(user));
  for (const { GroupName } of Groups) await client.send(new AdminRemoveUserFromGroupCommand({ ...user, GroupName }));
  return { Username, Attributes };
}

/** 24 characters, with one of each kind that a policy can ask for. */
function generated(): string {
  return `${randomBytes(15).toString('base64url')}-aA1`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
