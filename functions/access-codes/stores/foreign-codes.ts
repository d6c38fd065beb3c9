import type { Environment } from '../../../lib/contract/register.ts';
import { stubbedVerdict, type Verdict } from '../rules/foreign-code.ts';

/**
 * The port to who verifies the codes of insurers. It answers within three seconds, or throws what `isUnavailable` knows; to
 * verify a code does not use it up.
 */
export type Verifier = (code: string) => Promise<Verdict>;

/** Null where no insurer is connected: then nobody can say anything of a foreign code, and it is unknown. */
export function verifierOf(environment: Environment): Verifier | null {
  return environment === 'dev' ? async (code) => stubbedVerdict(code) : null;
}
