import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { answerNewPassword, revoke, signIn } from '../../auth/exports.ts';

type Dependencies = {
  readonly client: CognitoIdentityProviderClient;
  /** Tries once: a session of the pool is used up by the first answer. */
  readonly once: CognitoIdentityProviderClient;
  readonly userPool: UserPool;
};

export type Chosen = 'chosen' | 'weak' | 'closed';

/** The pool says the password is right, whatever else it asks for. */
const right: readonly string[] = ['tokens', 'totp', 'totp-setup'];

/**
 * Exchanges the temporary password of an invitation for a chosen one, as its owner: so this can be done for no other account. If it was
 * exchanged for the same one before, this is a repetition. Nobody gets the tokens: the person signs in.
 */
export async function choosePassword(
  { client, once, userPool }: Dependencies,
  { userId, temporary, password }: { readonly userId: string; readonly temporary: string; readonly password: string },
): Promise<Chosen> {
  const begun = await signIn(client, userPool, { username: userId, password: temporary });
  if (begun.outcome === 'new-password') {
    const answer = await answerNewPassword(once, userPool, begun.pending, password);
    if (answer.outcome === 'unfit') return 'weak';
    if (answer.outcome === 'tokens') await revoke(client, userPool, answer.tokens.refreshToken);
    if (right.includes(answer.outcome)) return 'chosen';
  }
  // The same request was here before, or came twice at once.
  const again = await signIn(client, userPool, { username: userId, password });
  if (again.outcome === 'tokens') await revoke(client, userPool, again.tokens.refreshToken);
  return right.includes(again.outcome) ? 'chosen' : 'closed';
}
