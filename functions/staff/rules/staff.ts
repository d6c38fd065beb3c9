import type { Role } from '../../../lib/contract/register.ts';
import type { StaffAccount } from '../../../lib/contract/staff-accounts.ts';

/** The decisions about the account of a member of staff. Pure: times and ids are arguments. */

/** Which invitation the account has. Other changes of the account, of a role or a name, leave it as it is. */
export function invitationOf({ invitation, changeId, updatedAt }: StaffAccount) {
  return invitation ?? { id: changeId, at: updatedAt };
}

/** The account of a person who is in the user pool but has no row yet. */
export function unadministered(known: Pick<StaffAccount, 'userId' | 'email' | 'roles'>, realNow: Date): StaffAccount {
  const at = realNow.toISOString();
  return {
    ...known,
    status: 'active',
    acceptedAt: at,
    endedAt: null,
    createdAt: at,
    updatedAt: at,
    revision: 0,
    changeId: '',
  };
}

type Standing = Pick<StaffAccount, 'roles' | 'status' | 'endedAt'> &
  Partial<Pick<StaffAccount, 'acceptedAt' | 'isReset' | 'isEnding'>>;

/** The new state of an account; null if nothing changes. */
export type Decide = (account: StaffAccount, realNow: Date) => Standing | null;

const adminRole = 'admin' satisfies Role;

/**
 * Whether the account may administer others. The roster lists these accounts. A person who was only invited, or whose sign-in was
 * reset, gets onto it by accepting.
 */
export function isAdmin({ roles, status }: Pick<Standing, 'roles' | 'status'>): boolean {
  return status === 'active' && roles.includes(adminRole);
}

export function givesRole(role: Role): Decide {
  return ({ roles, status, endedAt }) =>
    roles.includes(role) ? null : { roles: [...roles, role].toSorted(), status, endedAt };
}

/** The sessions end too, so no token with the role is valid any more. */
export function takesRole(role: Role): Decide {
  return ({ roles, status, endedAt }, realNow) =>
    roles.includes(role) ? { roles: roles.filter((each) => each !== role), status, ...ending(endedAt, realNow) } : null;
}

export const disables: Decide = ({ roles, status, endedAt }, realNow) =>
  status === 'disabled' ? null : { roles, status: 'disabled', ...ending(endedAt, realNow) };

export const enables: Decide = ({ roles, status, endedAt, acceptedAt, isReset }) =>
  status === 'disabled' ? { roles, status: acceptedAt === null || isReset ? 'invited' : 'active', endedAt } : null;

/**
 * Each call ends all sessions. The person then chooses a password, as after an invitation. An account without an address keeps its
 * status, because no mail can be sent to it.
 */
export const resetsSignIn: Decide = ({ roles, status, email, endedAt }, realNow) => ({
  roles,
  status: email === null || status === 'disabled' ? status : 'invited',
  ...ending(endedAt, realNow),
  ...(email !== null && { isReset: true }),
});

/** A request that had to wait for others must not take back what they ended. */
function ending(endedAt: number | null, realNow: Date) {
  return { endedAt: Math.max(endedAt ?? 0, secondsOf(realNow)), isEnding: true };
}

/**
 * After a reset, the tokens of earlier sign-ins were refused, and they stay refused. `- 1`, since the person may sign in within the same
 * second.
 */
export const accepts: Decide = ({ roles, status, endedAt, isReset }, realNow) =>
  status === 'invited'
    ? {
        roles,
        status: 'active',
        endedAt: isReset ? Math.max(endedAt ?? 0, secondsOf(realNow) - 1) : endedAt,
        acceptedAt: realNow.toISOString(),
        isReset: false,
      }
    : null;

/** The part of an account that an audit event has: no address and no name. */
export function auditedStanding({ roles, status }: Standing) {
  return { roles: [...roles], status };
}

/** Rounds down to seconds, as in tokens. A token of the same second counts as older, which is the safe choice. */
function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
