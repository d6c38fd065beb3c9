import { build } from 'esbuild';
import { afterEach, expect, test, vi } from 'vitest';
import { replacements } from '../../lib/bundle/replacements.ts';
import { root } from '../../lib/bundle/root.ts';

/** What stands in the place of modules of the SDK still does, or refuses, what these did. */

async function loaded(path: string) {
  const contents = replacements[path] ?? '';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'node',
    // esbuild prefers the CommonJS of these packages, which a module of this kind cannot require.
    mainFields: ['module', 'main'],
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  [360, 'first'],
  [240, 'second'],
])('of credentials that end in %i seconds and newer ones a request has the %s', async (seconds, expected) => {
  const { defaultProvider } = await loaded('@aws-sdk/credential-provider-node/dist-es/defaultProvider.js');
  const provider = defaultProvider();
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_CREDENTIAL_EXPIRATION', new Date(Date.now() + seconds * 1000).toISOString());
  for (const accessKeyId of ['first', 'second']) {
    vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId);
    await provider();
  }
  expect(await provider()).toMatchObject({ accessKeyId: expected });
});

test('a client with a logger is refused, as none would write', async () => {
  const path = '@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js';
  const { getLoggerPlugin } = await loaded(path);
  expect(() => getLoggerPlugin({ logger: console }).applyToStack()).toThrow('no logger is in the bundle');
});
