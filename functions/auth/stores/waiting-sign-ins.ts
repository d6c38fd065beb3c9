import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { seal, unseal } from '../../../lib/runtime/hmac-and-encrypt.ts';
import { type Packed, packed, unpacked } from '../rules/session.ts';

type SealContext = {
  /** `SignInKey` */
  readonly secret: KeyRing;
  readonly application: string;
};

const use = 'sign-in that waits';

/** Whoever knows the password could else answer Cognito's session at Cognito itself, past our lock and the lines of the log. */
export function sealedSession({ secret, application }: SealContext, pending: Packed): string {
  return seal(secret, use, packed(pending), application);
}

/** @returns null for every text that was not sealed for this application, or whose key is gone */
export function openedSession({ secret, application }: SealContext, text: string): Packed | null {
  try {
    return unpacked(unseal(secret, use, text, application));
  } catch {
    return null;
  }
}
