import { expect, test } from 'vitest';
import { version } from '../../lib/contract/version.ts';
import manifest from '../../package.json' with { type: 'json' };
import { call } from '../api.ts';

test.each([
  ['sleepcare', 'de'],
  ['medinfo', 'v2'],
] as const)('200: %s answers without a token, and says which stage it is', async (application, stage) => {
  const { status, body } = await call('GET', '/health', { application });
  expect(status).toBe(200);
  expect(body).toEqual({ status: 'ok', environment: 'dev', stage, version: manifest.version });
});

test('the version in the code is that of the package', () => {
  expect(version).toBe(manifest.version);
});
