import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The values of generated secrets: generated once, and stored with the data that was written under them. */
export type Secrets = {
  readonly valueOf: (arn: string, generate: () => string) => string;
};

/** @param dataDir The folder for the secrets; undefined keeps them in memory. */
export function openSecrets(dataDir: string | undefined): Secrets {
  const file = dataDir && join(dataDir, 'secrets.json');
  const values: Record<string, string> = file ? read(file) : {};
  return {
    valueOf: (arn, generate) => {
      const known = values[arn];
      if (known !== undefined) return known;
      const value = generate();
      values[arn] = value;
      if (file) write(file, values);
      return value;
    },
  };
}

type Generation = {
  readonly PasswordLength?: number;
  readonly ExcludeCharacters?: string;
  readonly ExcludeLowercase?: boolean;
  readonly ExcludeUppercase?: boolean;
  readonly ExcludeNumbers?: boolean;
  readonly ExcludePunctuation?: boolean;
  readonly IncludeSpace?: boolean;
  readonly SecretStringTemplate?: string;
  readonly GenerateStringKey?: string;
};

/** A random secret as Secrets Manager's GetRandomPassword generates it. */
export function generatedSecret(options: Generation): string {
  const alphabet = [
    options.ExcludeLowercase ? '' : 'abcdefghijklmnopqrstuvwxyz',
    options.ExcludeUppercase ? '' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    options.ExcludeNumbers ? '' : '0123456789',
    options.ExcludePunctuation ? '' : '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    options.IncludeSpace ? ' ' : '',
  ]
    .join('')
    .split('')
    .filter((character) => !options.ExcludeCharacters?.includes(character));
  const password = Array.from(
    { length: options.PasswordLength ?? 32 },
    () => alphabet[randomInt(alphabet.length)],
  ).join('');
  if (!options.GenerateStringKey) return password;
  return JSON.stringify({ ...JSON.parse(options.SecretStringTemplate ?? '{}'), [options.GenerateStringKey]: password });
}

function read(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function write(file: string, values: Record<string, string>): void {
  mkdirSync(join(file, '..'), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(values, null, 2), { mode: 0o600 });
  renameSync(temporary, file);
}
