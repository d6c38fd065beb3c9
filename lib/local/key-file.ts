import { createPrivateKey, type KeyObject } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads a private key (PKCS #8 in PEM) from a file. Generates the key if the file is missing. */
export async function readOrMakeKey(file: string, generate: () => Promise<KeyObject>): Promise<KeyObject> {
  try {
    return createPrivateKey(await readFile(file));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const key = await generate();
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(`${file}.${process.pid}`, key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await rename(`${file}.${process.pid}`, file);
  return key;
}
