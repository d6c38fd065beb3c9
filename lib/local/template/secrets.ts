import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { readKept, writeKept } from '../kept-file.ts';

/** The values of generated secrets: generated once, and stored with the data that was written under them. */
export type Secrets = {
  readonly valueOf: (arn: string, generate: () => string) => string;
};

/** @param dataDir The folder for the secrets; undefined keeps them in memory. */
export function openSecrets(dataDir: string | undefined): Secrets {
  const file = dataDir && join(dataDir, 'secrets.json');
  const values = readKept<Record<string, string>>(file, {});
  return {
    valueOf: (arn, generate) => {
      const known = values[arn];
      if (known !== undefined) return known;
      const value = generate();
      values[arn] = value;
      if (file) writeKept(file, JSON.stringify(values, null, 2));
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
