import type { Position } from '../contract/collection.ts';
import { InvalidCursor } from '../contract/common-errors.ts';
import type { KeyRing } from '../contract/key-ring.ts';
import { Failure } from './failure.ts';
import { seal, unseal } from './hmac-and-encrypt.ts';

/**
 * Cursors are opaque and tamper-proof: the position is sealed with the environment's key. It is bound to the caller, the route and its
 * parameters, so another caller's cursor does not open.
 */

export type Binding = readonly string[];

/** The cursors of one caller and one route. */
export type Cursors = {
  readonly seal: (position: Position) => string;
  /** @throws a Failure `INVALID_CURSOR` */
  readonly open: (cursor: string) => Position;
};

const use = 'cursor';

export function sealCursor(position: Position, ring: KeyRing, binding: Binding): string {
  return seal(ring, use, JSON.stringify(position), JSON.stringify(binding));
}

/** @throws a Failure `INVALID_CURSOR` for everything that was not sealed for exactly this binding, with a key that is known. */
export function openCursor(cursor: string, ring: KeyRing, binding: Binding): Position {
  try {
    return JSON.parse(unseal(ring, use, cursor, JSON.stringify(binding)));
  } catch {
    throw new Failure(InvalidCursor);
  }
}
