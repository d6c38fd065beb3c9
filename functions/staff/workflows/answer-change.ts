import { Forbidden } from '../../../lib/contract/common-errors.ts';
import type { Environment, Role } from '../../../lib/contract/register.ts';
import { rolesOf } from '../../../lib/contract/roles.ts';
import type { StaffAccount } from '../../../lib/contract/staff-accounts.ts';
import type { Caller } from '../../../lib/runtime/caller.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import type { Staff } from '../../access/data-subject.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { roleScopes } from '../../product.ts';
import { OwnAccount, StaffNotFound } from '../errors.ts';
import { type By, type ChangeDependencies, changeStaff } from './change-staff.ts';
import type { Decision } from './decisions.ts';
import { rolesOfRow } from './listed-as.ts';

/** The common part of all routes that change an account of the staff. */

export type StaffChangeRequest<T> = {
  readonly caller: Caller;
  readonly application: string;
  readonly environment: Environment;
  readonly requestId: string;
  readonly tables: T;
  readonly userPool: UserPool;
};

export function dependenciesOf<T extends ChangeDependencies['tables']>({
  tables,
  userPool,
}: StaffChangeRequest<T>): ChangeDependencies & { tables: T } {
  return { tables, pool: { client: cognito(), id: userPool.id } };
}

export function byOf({
  caller,
  application,
  requestId,
}: Pick<StaffChangeRequest<unknown>, 'caller' | 'application' | 'requestId'>): By {
  return { caller, application, requestId, realNow: new Date() };
}

/** @throws a Failure `OWN_ACCOUNT`, `STAFF_NOT_FOUND`, `FORBIDDEN` */
export async function change(
  asked: StaffChangeRequest<ChangeDependencies['tables']>,
  userId: string,
  decision: Decision,
): Promise<StaffAccount> {
  if (userId === asked.caller.userId) throw new Failure(OwnAccount);
  const changed = await changeStaff(dependenciesOf(asked), userId, decision, byOf(asked));
  if (changed === 'unknown') throw new Failure(StaffNotFound);
  if (changed === 'forbidden') throw new Failure(Forbidden);
  return changed.account;
}

/** The role of that name in the staff's application; null if there is none. */
export function roleNamed(name: string, environment: Environment): Role | null {
  return rolesOf(roleScopes, 'medinfo', environment).find((role) => role === name) ?? null;
}

export function memberOf(account: StaffAccount, name: string | null) {
  const { userId: staffId, email, status, createdAt, updatedAt } = account;
  return { staffId, email, name, roles: rolesOfRow(account), status, createdAt, updatedAt };
}

/** @throws the same as `change` */
export async function changedMember(
  asked: StaffChangeRequest<ChangeDependencies['tables'] & { readonly Staff: Staff<'get'> }>,
  userId: string,
  decision: Decision,
) {
  const account = await change(asked, userId, decision);
  return memberOf(account, await readStaffName(asked.tables.Staff, userId));
}
