import { expect, test } from 'vitest';
import { synthesize } from '../../../bin/stage.ts';
import { temporaryFolder } from './local-process.ts';

test('an unknown environment is an error that names the three', async () => {
  await expect(synthesize('production', { cacheDir: temporaryFolder() })).rejects.toThrow(
    'unknown stage "production": one of dev, staging, prod is needed',
  );
});
