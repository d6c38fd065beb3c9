import type { Role } from '../../../lib/contract/roles.ts';
import type { StaffStanding } from '../../../lib/contract/staff-accounts.ts';

/** What is decided over the account of a member of staff. Pure: times and ids are arguments. */

export type StaffAccount = StaffStanding & {
  readonly userId: string;
  readonly email: string | null;
  /** Null until the invitation was accepted. */
  readonly acceptedAt: string | null;
  /** Password and second factor were reset, and no new password is chosen yet. */
  readonly isReset?: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Counts the changes from 1; 0 of an account that the user pool knows and nobody has administered. */
  readonly revision: number;
  /** New for each change: tells a lost answer to this write from another writer's change. */
  readonly changeId: string;
};

/** For a person that the user pool knows and that has no row yet. */
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
  Partial<Pick<StaffAccount, 'acceptedAt' | 'isReset'>>;

/** What is to become of an account; null: it is so already. */
export type Decide = (account: StaffAccount, realNow: Date) => { action: string; standing: Standing } | null;

export const adminRole = 'admin' satisfies Role;

/** Who may administer others: the roster has them. Whoever was only invited, or lost the phone, comes onto it by accepting. */
export function isAdmin({ roles, status }: Pick<Standing, 'roles' | 'status'>): boolean {
  return status === 'active' && roles.includes(adminRole);
}

export function givesRole(role: Role): Decide {
  return ({ roles, status, endedAt }) =>
    roles.includes(role)
      ? null
      : { action: 'staff.role-given', standing: { roles: [...roles, role].toSorted(), status, endedAt } };
}

/** Sessions end, so that no token with the role lives on. */
export function takesRole(role: Role): Decide {
  return ({ roles, status }, realNow) =>
    roles.includes(role)
      ? {
          action: 'staff.role-taken',
          standing: { roles: roles.filter((each) => each !== role), status, endedAt: secondsOf(realNow) },
        }
      : null;
}

export const disables: Decide = ({ roles, status }, realNow) =>
  status === 'disabled'
    ? null
    : { action: 'staff.disabled', standing: { roles, status: 'disabled', endedAt: secondsOf(realNow) } };

export const enables: Decide = ({ roles, status, endedAt, acceptedAt, isReset }) =>
  status === 'disabled'
    ? {
        action: 'staff.enabled',
        standing: { roles, status: acceptedAt === null || isReset ? 'invited' : 'active', endedAt },
      }
    : null;

/**
 * Each time anew: the sessions end, whoever has begun them, and the person chooses a password as one who is invited. Nobody can be
 * written to who has no address.
 */
export const resetsSignIn: Decide = ({ roles, status, email }, realNow) => ({
  action: 'staff.second-factor-reset',
  standing: {
    roles,
    status: email === null || status === 'disabled' ? status : 'invited',
    endedAt: secondsOf(realNow),
    ...(email !== null && { isReset: true }),
  },
});

/**
 * After a reset, whoever signed in before the old password was void has a token that was refused since; it stays refused. The person may
 * sign in within this very second.
 */
export const accepts: Decide = ({ roles, status, endedAt, isReset }, realNow) =>
  status === 'invited'
    ? {
        action: 'staff.accepted',
        standing: {
          roles,
          status: 'active',
          endedAt: isReset ? Math.max(endedAt ?? 0, secondsOf(realNow) - 1) : endedAt,
          acceptedAt: realNow.toISOString(),
          isReset: false,
        },
      }
    : null;

/** What an audit event says: no address and no name. */
export function told({ roles, status }: Standing) {
  return { roles: [...roles], status };
}

/** A token of a sign-in in the same second is older, too: of two the safe side. */
function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
