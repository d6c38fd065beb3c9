import { join } from 'node:path';

/** The project's root. */
export const root = join(import.meta.dirname, '..', '..');
