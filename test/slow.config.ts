import { defineConfig } from 'vitest/config';
import { options, slow } from './vitest.config.ts';

/** `npm run test:slow`: what `npm test` leaves to CI. */
/** One file at a time: a starved sender would be another test's finding. */
export default defineConfig({
  test: { ...options, include: [slow], exclude: ['**/node_modules/**'], testTimeout: 120_000, maxWorkers: 1 },
});
