/**
 * A sign-in that waits for its second factor: Cognito's session, and the user name with which it wants to be answered.
 * That is "the user's actual username, not an alias (such as an email address)", which the client does not know; so it
 * carries both, as one text. To alter it gains nothing: Cognito's session is of one user, and Cognito compares.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminRespondToAuthChallenge.html
 */
export type Pending = { username: string; session: string };

/** With the tries that a success clears: sealed, so that nobody clears those of another account. Only a session that a password began has them. */
export type Packed = Pending & { tries?: string | undefined };

export function packed({ username, session, tries }: Packed): string {
  return Buffer.from(JSON.stringify({ username, session, tries })).toString('base64url');
}

/** @returns null for every text that `packed` does not make */
export function unpacked(text: string): Packed | null {
  try {
    const { username, session, tries } = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!isText(username, 1, 128) || !isText(session, 20, 2048)) return null;
    if (tries !== undefined && !isText(tries, 1, 128)) return null;
    const pending = { username, session, ...(tries !== undefined && { tries }) };
    return packed(pending) === text ? pending : null;
  } catch {
    return null;
  }
}

function isText(value: unknown, shortest: number, longest: number): value is string {
  return typeof value === 'string' && value.length >= shortest && value.length <= longest;
}
