import { defineConfig } from 'vitest/config';
import { options, slow } from './vitest.config.ts';

/** `npm run test:slow`: what `npm test` leaves to CI. */
export default defineConfig({ test: { ...options, include: [slow], testTimeout: 120_000 } });
