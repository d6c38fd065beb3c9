import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { keyedHash } from '../../../lib/runtime/hmac-and-encrypt.ts';
import { hashOfUser, type Write, writeLine } from '../../../lib/runtime/log.ts';
import type { Tokens } from '../rules/sign-in.ts';
import { type Factor, signInLine } from '../rules/sign-in-line.ts';
import { sessionIn } from '../rules/token-session.ts';

type Attempt = {
  readonly write: Write;
  readonly secret: KeyRing;
  readonly application: string;
  readonly requestId: string;
  readonly factor: Factor;
  /** As it was typed; for a code, the pool's name of the user. Null: not known. */
  readonly username: string | null;
};

type Said = { readonly outcome: string; readonly why?: string; readonly tokens?: Tokens };

/** One line for each try of a factor, also where the pool did not answer: which account, which factor, and why it failed. */
export async function logged<S extends Said>(attempt: Attempt, ask: () => Promise<S>): Promise<S> {
  const { write, secret, application, requestId, factor, username } = attempt;
  const name = username === null ? null : `${application}#${username.normalize('NFC').toLowerCase()}`;
  const account = name === null ? null : keyedHash(secret, 'sign-in log', name).slice(0, 32);
  const say = (said: Said) => {
    const userId = said.tokens && sessionIn(said.tokens.accessToken)?.userId;
    // The hash that the lines of the user's requests have.
    const line = { ...signInLine(factor, account, said), ...(userId && { user: hashOfUser(userId) }) };
    writeLine(write, { ...line, application, requestId }, new Date());
  };
  try {
    const said = await ask();
    say(said);
    return said;
  } catch (error) {
    say({ outcome: 'unanswered' });
    throw error;
  }
}
