/**
 * A sign-in that waits for its second factor: Cognito's session, and the user name with which it wants to be answered.
 * That is "the user's actual username, not an alias (such as an email address)", which the client does not know; so it
 * carries both, as one text that is sealed (stores/waiting-sign-ins.ts).
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminRespondToAuthChallenge.html
 */
export type Pending = { username: string; session: string };

/** With when it began, and the tries that a success clears: sealed, so that nobody clears those of another account. Only a session that a password began has it. */
export type Packed = Pending & { beginning?: string | undefined };

export function packed({ username, session, beginning }: Packed): string {
  return JSON.stringify({ username, session, beginning });
}

/** @returns null for every text that `packed` does not make */
export function unpacked(text: string): Packed | null {
  try {
    const { username, session, beginning } = JSON.parse(text);
    if (!isText(username, 1, 128) || !isText(session, 20, 2048)) return null;
    if (beginning !== undefined && !isText(beginning, 1, 512)) return null;
    const pending = { username, session, ...(beginning !== undefined && { beginning }) };
    return packed(pending) === text ? pending : null;
  } catch {
    return null;
  }
}

function isText(value: unknown, shortest: number, longest: number): value is string {
  return typeof value === 'string' && value.length >= shortest && value.length <= longest;
}
