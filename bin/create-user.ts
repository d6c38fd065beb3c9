import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { weaknessOf } from '../functions/accounts/rules.ts';
import { AuditEvents } from '../functions/audit/tables.ts';
import { StaffDirectory } from '../functions/crm-users/tables.ts';
import { roleScopes } from '../functions/product.ts';
import { enterMember } from '../functions/staff/jobs/enter-member.ts';
import { Email } from '../lib/contract/fields.ts';
import type { Application } from '../lib/contract/register.ts';
import { rolesOf } from '../lib/contract/roles.ts';
import { StaffAccounts } from '../lib/contract/staff-accounts.ts';
import { type StageAccess, type StageArguments, stageAccess } from './stage-access.ts';
import { stageTables } from './stage-tables.ts';

/** Cognito needs more time for a password than DynamoDB for a row. */
export const limits = { maxAttempts: 2, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 } };

type Options = StageArguments & {
  readonly application: Application;
  readonly email: string;
  readonly roles: string;
  readonly passwordStdin: boolean;
  readonly existing: boolean;
};

export async function run(options: Options): Promise<void> {
  const { application, passwordStdin, existing } = options;
  const { email, roles } = wantedBy(options);
  const access = await stageAccess(options);
  const password = passwordStdin ? strong((await text(process.stdin)).replace(/\r?\n$/, ''), email) : generated(email);
  const userId = existing
    ? await enterExisting(access, { email, roles })
    : await createUser(access, application, { email, password, roles, isPermanent: passwordStdin });
  console.log([`user ${userId}`, ...(passwordStdin || existing ? [] : [`temporary password ${password}`])].join('\n'));
}

/** @throws an Error that says what is wrong with the arguments */
export function wantedBy({ stage = 'dev', application, passwordStdin, existing, ...given }: Options) {
  // One form of an address everywhere: the functions find the user only by the form that they make of it.
  const { success: isAddress, data: email } = Email.safeParse(given.email);
  if (!isAddress) throw new Error(`--email ${given.email} is no address`);
  const roles = given.roles.split(',').filter(Boolean);
  const known = rolesOf(roleScopes, application, stage);
  const stranger = roles.find((role) => !known.some((each) => each === role));
  if (stranger)
    throw new Error(`${application} has no role ${JSON.stringify(stranger)} in ${stage}: ${known.join(', ')}`);
  if (existing && (passwordStdin || application !== 'medinfo'))
    throw new Error('--existing is for users of medinfo, who keep their password');
  return { email, roles };
}

type UserOptions = {
  email: string;
  password: string;
  roles: readonly string[];
  isPermanent: boolean;
  /** Whether a user who is there gets this password in place of their own. */
  replaces?: boolean;
};

/** @returns the user's id, the `sub` of its tokens */
export async function createUser(access: StageAccess, application: Application, user: UserOptions) {
  const { email, password, roles, isPermanent, replaces = false } = user;
  const client = new CognitoIdentityProviderClient({ ...limits, ...access.client('cognito') });
  const pool = await access.outputs(`${capital(application)}UserPoolId`);
  const command = new AdminCreateUserCommand({
    UserPoolId: pool,
    Username: email,
    // The password is checked against the pool's policy before the user is made.
    TemporaryPassword: password,
    MessageAction: 'SUPPRESS',
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ],
  });
  const { Username = email, Attributes } = await client.send(command).then(
    ({ User }) => User ?? {},
    (error) => begunUser(client, { UserPoolId: pool, Username: email }, error, replaces),
  );
  const named = { UserPoolId: pool, Username };
  const userId = Attributes?.find(({ Name }) => Name === 'sub')?.Value ?? Username;
  if (application === 'medinfo') await enter(access, { userId, email, roles });
  // Of the staff, no group counts.
  else for (const GroupName of roles) await client.send(new AdminAddUserToGroupCommand({ ...named, GroupName }));
  // The password is set last, so nobody can sign in while roles are missing.
  await client.send(new AdminSetUserPasswordCommand({ ...named, Password: password, Permanent: isPermanent }));
  return userId;
}

/** Somebody of the staff's pool who has no row, and so no role. The password stays. @returns the user's id */
async function enterExisting(access: StageAccess, { email, roles }: Pick<UserOptions, 'email' | 'roles'>) {
  const client = new CognitoIdentityProviderClient({ ...limits, ...access.client('cognito') });
  const UserPoolId = await access.outputs('MedinfoUserPoolId');
  const { UserAttributes } = await client.send(new AdminGetUserCommand({ UserPoolId, Username: email }));
  const userId = UserAttributes?.find(({ Name }) => Name === 'sub')?.Value;
  if (!userId) throw new Error(`the pool has no id of ${email}`);
  await enter(access, { userId, email, roles });
  return userId;
}

/** Writes the row that decides the roles of a member of staff. */
async function enter(access: StageAccess, member: { userId: string; email: string; roles: readonly string[] }) {
  const tables = await stageTables(access, [StaffAccounts, StaffDirectory, AuditEvents]);
  await enterMember({ tables }, member, { actor: 'create-user', realNow: new Date() });
}

/**
 * The user that an earlier run created and who has no password of their own yet. The user loses the roles of that run.
 * @throws `error` if creating failed for another reason, or the user has a permanent password
 */
async function begunUser(
  client: CognitoIdentityProviderClient,
  user: { UserPoolId: string; Username: string },
  error: unknown,
  replaces: boolean,
) {
  if (!(error instanceof UsernameExistsException)) throw error;
  const { Username, UserStatus, UserAttributes: Attributes } = await client.send(new AdminGetUserCommand(user));
  if (UserStatus !== 'FORCE_CHANGE_PASSWORD' && !replaces) throw error;
  const { Groups = [] } = await client.send(new AdminListGroupsForUserCommand(user));
  for (const { GroupName } of Groups) await client.send(new AdminRemoveUserFromGroupCommand({ ...user, GroupName }));
  return { Username, Attributes };
}

/** 24 characters, with at least one of each kind that a policy can require. */
export function generated(email: string): string {
  const password = `${randomBytes(16).toString('base64url')}-aA1`;
  // About one of 100,000 is taken for a breached one.
  return weaknessOf(password, { email, name: null }) ? generated(email) : password;
}

/** @throws an Error that says why nobody may choose the password */
function strong(password: string, email: string): string {
  const weakness = weaknessOf(password, { email, name: null });
  if (weakness) throw new Error(`nobody may choose this password: ${weakness}`);
  return password;
}

export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
