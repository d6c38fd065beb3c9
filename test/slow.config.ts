import { defineConfig } from 'vitest/config';
import { hangMs } from './hang.ts';
import { options, slow } from './vitest.config.ts';

/**
 * `npm run test:slow`: what `npm test` leaves to CI. One file at a time: each has the machine to itself, and does more
 * before it waits.
 */
export default defineConfig({
  test: { ...options, include: [slow], exclude: ['**/node_modules/**'], testTimeout: hangMs * 3, maxWorkers: 1 },
});
