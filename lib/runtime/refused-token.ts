import { tokensRefused } from '../contract/metrics.ts';
import { writeLine } from './log.ts';
import type { Runtime } from './runtime.ts';
import type { WhyRefused } from './token.ts';

/** `absent`: no header of a bearer. `ended`: a member of staff is disabled, or the session is from before an end of all sessions. */
type Why = WhyRefused | 'absent' | 'ended';

/** An app that was closed comes back with an expired token: these are everyday, and nobody is to be woken for them. */
const everyday: readonly Why[] = ['expired', 'absent', 'no token', 'ended'];

/** Writes why a token was refused, and no part of the token: a forged one could write what it likes into the log. */
export function logRefused({ variables, realNow, write }: Omit<Runtime, 'clock'>, why: Why): void {
  const isEveryday = everyday.includes(why);
  const counts: Record<string, number> = isEveryday ? {} : { [tokensRefused]: 1 };
  const level = isEveryday ? 'INFO' : 'WARN';
  writeLine(write, { level, message: 'token refused', application: variables.APPLICATION, why }, realNow(), counts);
}
