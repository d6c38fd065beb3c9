import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { Unauthenticated } from '../../../lib/contract/common-errors.ts';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import type { Application } from '../../../lib/contract/register.ts';
import type { Caller } from '../../../lib/runtime/caller.ts';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { SignInLocked } from '../../auth/errors.ts';
import { codeCounted, revoke, sendCode, signIn, tellingOfCodes, tryCounted } from '../../auth/exports.ts';
import type { SignInTries } from '../../auth/tables.ts';
import { PasswordWrong, PresentCodeInvalid, PresentCodeRequired } from '../errors.ts';

/** What a change of one's own account needs: the caller signs in once more, inside the function. */
export type OwnerDependencies = {
  readonly tables: { readonly SignInTries: SignInTries<'get' | 'put'> };
  readonly secrets: { readonly SignInKey: KeyRing };
  /** One that tries once: Cognito takes a code once, and would call its repetition wrong. */
  readonly cognito: CognitoIdentityProviderClient;
  readonly userPool: UserPool;
  readonly application: Application;
  readonly queues: { readonly MailQueue: string };
  readonly sourceIp: string;
  readonly caller: Caller;
};

/** What the caller types again: the password, and the code of the authenticator app that the account has at present. */
export type Typed = { readonly password: string; readonly presentCode?: string | undefined };

/**
 * Signs the caller in with the client whose tokens open the caller's account at Cognito, and gives the token to `act`. It leaves the
 * function in no other way, and is revoked at the end. A stolen access token guesses neither passwords nor codes: they count as sign-ins
 * of the account from this address, and wrong codes as those of all addresses.
 *
 * @param passwords tried in this order, as one try; the second is for a repetition after the first was replaced
 * @throws a Failure
 */
export async function asOwner<Done>(
  deps: OwnerDependencies,
  { passwords, presentCode }: Pick<Typed, 'presentCode'> & { readonly passwords: readonly [string, ...string[]] },
  act: (accessToken: string, password: string) => Promise<Done>,
): Promise<Done> {
  const said = await tryCounted(triesOf(deps), async () => {
    const signedIn = await signedInBy(deps, passwords, presentCode);
    if (signedIn.outcome !== 'tokens') return signedIn;
    const { tokens, password } = signedIn;
    try {
      return { outcome: 'tokens' as const, done: await act(tokens.accessToken, password) };
    } finally {
      // Nobody has it. Where Cognito cannot revoke it now, it ends by itself.
      await revoke(deps.cognito, ownPool(deps), tokens.refreshToken).catch(() => undefined);
    }
  });
  switch (said.outcome) {
    case 'tokens':
      return said.done;
    case 'locked':
      throw new Failure(SignInLocked, { lockedUntil: said.lockedUntil });
    case 'code-needed':
      throw new Failure(PresentCodeRequired);
    case 'wrong-code':
      throw new Failure(PresentCodeInvalid);
    case 'refused':
      throw said.error;
  }
}

async function signedInBy(deps: OwnerDependencies, passwords: readonly string[], code: string | undefined) {
  const { cognito, caller, application, queues } = deps;
  let wrong: unknown = new Failure(PasswordWrong);
  for (const [index, password] of passwords.entries()) {
    try {
      const signedIn = await signIn(cognito, ownPool(deps), { username: caller.username, password });
      if (signedIn.outcome === 'tokens') return { ...signedIn, password };
      if (signedIn.outcome === 'totp') {
        if (code === undefined) return { outcome: 'code-needed' as const };
        const send = () => sendCode(cognito, ownPool(deps), { pending: signedIn.pending, code });
        const second = await codeCounted(
          triesOf(deps),
          send,
          tellingOfCodes(queues.MailQueue, application, caller.userId),
        );
        if (second.outcome === 'locked') return second;
        return second.outcome === 'tokens' ? { ...second, password } : { outcome: 'wrong-code' as const };
      }
      // Another challenge: the pool asks for something that only a sign-in can answer, such as the set-up of a factor.
      if (signedIn.outcome !== 'refused') return { outcome: 'refused' as const, error: new Failure(Unauthenticated) };
    } catch (error) {
      // A guess whose second call fails is a guess: else one that meets Cognito's own limit would not be counted.
      if (index === 0) throw error;
      wrong = error;
    }
  }
  return { outcome: 'refused' as const, error: wrong };
}

function ownPool({ userPool: { id, ownAccountClientId } }: OwnerDependencies): UserPool {
  if (!ownAccountClientId) throw new Error('the route does not declare that it changes the own account');
  return { id, clientId: ownAccountClientId };
}

function triesOf({ tables, secrets, application, sourceIp, caller }: OwnerDependencies) {
  const tried = { secret: secrets.SignInKey, application, username: caller.userId, sourceIp };
  return { table: tables.SignInTries, ...tried };
}
