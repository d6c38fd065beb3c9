import { randomUUID } from 'node:crypto';
import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { Pool } from '../../functions/staff/stores/user-pool.ts';

/** A user pool in memory, as far as the staff's workflows ask it. */

type Member = {
  sub: string;
  email: string;
  isEnabled: boolean;
  password: string | null;
  outs: number;
};
type Call = { constructor: { name: string }; input: Record<string, string> };

export function fakePool() {
  const members = new Map<string, Member>();
  let broken: string | null = null;
  const named = (error: string) => Object.assign(new Error(error), { name: error, $fault: 'client' });
  const find = (name = '') => members.get(name) ?? [...members.values()].find(({ email }) => email === name);
  const send = async ({ constructor: { name }, input }: Call) => {
    const action = name.replace(/Command$/, '');
    if (broken === action) throw named('TooManyRequestsException');
    const { Username = '', Password = '' } = input;
    const member = find(Username);
    if (action === 'AdminCreateUser') {
      if (member) throw named('UsernameExistsException');
      const made = add(Username);
      made.password = null;
      return { User: { Attributes: [{ Name: 'sub', Value: made.sub }] } };
    }
    if (!member) throw named('UserNotFoundException');
    if (action === 'AdminDisableUser') member.isEnabled = false;
    if (action === 'AdminEnableUser') member.isEnabled = true;
    if (action === 'AdminUserGlobalSignOut') member.outs += 1;
    if (action === 'AdminSetUserPassword') member.password = Password;
    return {
      Enabled: member.isEnabled,
      UserStatus: member.password === null ? 'FORCE_CHANGE_PASSWORD' : 'CONFIRMED',
      UserAttributes: [
        { Name: 'sub', Value: member.sub },
        { Name: 'email', Value: member.email },
      ],
    };
  };
  function add(email: string): Member {
    const member = { sub: randomUUID(), email, isEnabled: true, password: 'x', outs: 0 };
    members.set(member.sub, member);
    return member;
  }
  const pool: Pool = { client: { send } as unknown as CognitoIdentityProviderClient, id: 'pool' };
  return {
    pool,
    add,
    find,
    reset: () => {
      members.clear();
      broken = null;
    },
    /** @param action that the pool is too busy for from now on; null: for none */
    refuse: (action: string | null) => {
      broken = action;
    },
  };
}
