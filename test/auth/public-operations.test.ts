import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const sdk = dirname(createRequire(import.meta.url).resolve('@aws-sdk/client-cognito-identity-provider/package.json'));

/** The operations that the SDK sends without a signature, by its model. */
function unsigned(): string[] {
  const code = readFileSync(join(sdk, 'dist-es/auth/httpAuthSchemeProvider.js'), 'utf8');
  return [...code.matchAll(/case "(\w+)":\s*\{\s*options\.push\(createSmithyApiNoAuth/g)].map(([, name = '']) => name);
}

/** Those whose documentation says that no policy of IAM counts; for one of them the model has a signature. */
function withoutPolicies(): string[] {
  const commands = join(sdk, 'dist-types/commands');
  const files = readdirSync(commands).filter((file) => file.endsWith('Command.d.ts'));
  return files
    .filter((file) => readFileSync(join(commands, file), 'utf8').includes("doesn't evaluate Identity and Access"))
    .map((file) => file.replace('Command.d.ts', ''));
}

test('decision 57 lists every operation of Cognito that needs no IAM', () => {
  const page = readFileSync(new URL('../../docs/decisions/0057-token-scopes.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| ([A-Z]\w+(?:, \w+)*) \|/gm)].flatMap(([, names = '']) => names.split(', '));
  const operations = listed.filter((name) => name !== 'Operation');
  const all = new Set([...unsigned(), ...withoutPolicies()]);
  expect(operations.toSorted()).toEqual([...all].toSorted());
  expect(all).toContain('GetClientToken');
  expect(page).toContain(`${operations.length} of its operations need no IAM`);
});
