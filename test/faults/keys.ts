import type { KeySetFault } from '../../lib/local/identity/issuer.ts';

/** The user pool's keys cannot be had, as data: what the authorizer knows by then, and which callers are still let in. */

export type KeyCase = {
  readonly name: string;
  readonly fault: KeySetFault;
  /** Whether the authorizer has fetched the keys before they fail. */
  readonly isWarm: boolean;
  /** Whether the token is of a key that came after that. */
  readonly isRotated: boolean;
  readonly code: string | null;
};

const kinds = ['error', 'garbage', 'hang'] as const satisfies readonly KeySetFault[];

export const keyCases: readonly KeyCase[] = kinds.flatMap((fault) => [
  { name: `cold, and the keys meet ${fault}`, fault, isWarm: false, isRotated: false, code: 'UNAVAILABLE' as const },
  { name: `warm, and the keys meet ${fault}`, fault, isWarm: true, isRotated: false, code: null },
  { name: `rotated while the keys meet ${fault}`, fault, isWarm: true, isRotated: true, code: 'UNAVAILABLE' as const },
]);
