import { defineConfig } from 'vitest/config';
import { options } from './vitest.config.ts';

/** What the gate runs on the very bundles that are deployed: the heart of the product, and what each route must do. */
export const asDeployed = [
  'test/auth/issue-tokens.test.ts',
  'test/consents/agree-to-versions.test.ts',
  'test/consents/list-agreements.test.ts',
  'test/consents/races.test.ts',
  'test/devices/devices.test.ts',
  'test/architecture/authentication.test.ts',
  'test/architecture/conventions.test.ts',
  'test/iam/matrix.test.ts',
  'test/push/delivery.test.ts',
  'test/receipts/receipts.test.ts',
];

/** Schedules of every scenario of the explorer. */
export const seeds = ['test/explorer/seeds.slow.test.ts'];

const { globalSetup, ...withoutStage } = options;

/** `npm run test:gate`: what `bash .ci/run` runs beside `npm test`. */
export default defineConfig({
  test: {
    projects: [
      { test: { ...options, name: 'deployed', include: asDeployed, env: { ...options.env, AS_DEPLOYED: 'true' } } },
      { test: { ...withoutStage, name: 'seeds', include: seeds } },
    ],
  },
});
