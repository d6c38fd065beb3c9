import { createPrivateKey, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Small files with the stage's own state. Each is written whole and at once, so that no two writes of one meet. */

/**
 * The JSON of a file.
 *
 * @param file undefined keeps the state in memory
 * @param otherwise what there is without the file
 * @throws an Error that names the file
 */
export function readKept<T>(file: string | undefined, otherwise: T): T {
  try {
    const text = file && textOf(file);
    return text === undefined ? otherwise : JSON.parse(text);
  } catch (error) {
    if (error instanceof Error) error.message = `${file} cannot be read: ${error.message}`;
    throw error;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Written to another file and renamed, so a crash leaves either the old state or the new one. No other user may read
 * tokens.
 */
export function writeKept(file: string, text: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, text, { mode: 0o600 });
  renameSync(aside, file);
}

/** Reads a private key (PKCS #8 in PEM), or makes it. @param file undefined keeps it in memory */
export async function readOrMakeKey(file: string | undefined, generate: () => Promise<KeyObject>): Promise<KeyObject> {
  const kept = file && textOf(file);
  if (kept !== undefined) return createPrivateKey(kept);
  const key = await generate();
  if (file) writeKept(file, key.export({ type: 'pkcs8', format: 'pem' }));
  return key;
}
