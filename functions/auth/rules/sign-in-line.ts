/** What the log says of a sign-in: never who it was, but whether it was the same account. Pure. */

export type Factor = 'password' | 'totp' | 'totp_setup' | 'recovery_code' | 'temporary_password';

type Said = { readonly outcome: string; readonly why?: string };

/** The next step of a sign-in, or its end. */
const right: readonly string[] = ['tokens', 'totp', 'totp-setup', 'new-password', 'changed', 'challenge'];

/** @param account the keyed hash of the name with which it was tried; null where a session could not be read */
export function signInLine(factor: Factor, account: string | null, { outcome, why }: Said) {
  return {
    level: right.includes(outcome) ? 'INFO' : 'WARN',
    message: 'sign-in',
    ...(account !== null && { account }),
    factor,
    outcome,
    ...(why !== undefined && { why }),
  } as const;
}
