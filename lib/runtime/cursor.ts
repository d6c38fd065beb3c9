import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Position } from '../contract/collection.ts';
import { InvalidCursor } from '../contract/common-errors.ts';
import { Failure } from './failure.ts';

/**
 * Cursors are opaque and tamper-proof: the position is encrypted with AES-256-GCM under the environment's key. The
 * additional data binds it to the caller, the route and its parameters, so another caller's cursor does not decrypt.
 */

export type Binding = readonly string[];

/** The cursors of one caller and one route. */
export type Cursors = {
  readonly seal: (position: Position) => string;
  /** @throws a Failure `INVALID_CURSOR` */
  readonly open: (cursor: string) => Position;
};

const nonceBytes = 12;
const tagBytes = 16;

export function sealCursor(position: Position, secret: string, binding: Binding): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(additionalData(binding));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(position), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws a Failure `INVALID_CURSOR` for everything that was not sealed for exactly this binding. */
export function openCursor(cursor: string, secret: string, binding: Binding): Position {
  const bytes = Buffer.from(cursor, 'base64url');
  // Node's decoder skips characters that are not base64url, so another spelling of a cursor would decode. Only our spelling
  // is accepted.
  if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== cursor) {
    throw new Failure(InvalidCursor);
  }
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(additionalData(binding)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const opened = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
    return JSON.parse(opened.toString('utf8'));
  } catch {
    throw new Failure(InvalidCursor);
  }
}

function keyOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function additionalData(binding: Binding): Buffer {
  return Buffer.from(JSON.stringify(binding), 'utf8');
}
