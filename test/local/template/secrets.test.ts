import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generatedSecret, openSecrets } from '../../../lib/local/template/secrets.ts';

test('a generated secret keeps to its rules', () => {
  expect(generatedSecret({})).toHaveLength(32);
  expect(generatedSecret({ PasswordLength: 200, ExcludePunctuation: true, ExcludeUppercase: true })).toMatch(
    /^[a-z0-9]{200}$/,
  );
  expect(generatedSecret({ PasswordLength: 200, ExcludeCharacters: 'abc' })).not.toMatch(/[abc]/);
  const { user, key } = JSON.parse(generatedSecret({ SecretStringTemplate: '{"user":"u"}', GenerateStringKey: 'key' }));
  expect([user, key.length]).toEqual(['u', 32]);
});

test('a secret is generated once, and kept with the data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  const first = openSecrets(dataDir).valueOf('arn', () => generatedSecret({}));
  expect(openSecrets(dataDir).valueOf('arn', () => 'another')).toBe(first);
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o077).toBe(0);

  const inMemory = openSecrets(undefined);
  expect(inMemory.valueOf('arn', () => 'one')).toBe(inMemory.valueOf('arn', () => 'two'));
  expect(openSecrets(undefined).valueOf('arn', () => 'three')).toBe('three');
});
