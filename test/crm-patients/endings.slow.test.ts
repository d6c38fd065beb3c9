import { test } from 'vitest';
import { endingNames, raceEnding } from './endings.ts';

/**
 * As endings.test.ts, for longer. The explorer decides the order of these calls (`look-beside-revocation`, `look-beside-leaving`); here
 * they meet over HTTP, in processes.
 */
test.each(endingNames)('%s, 60 times', (name) => raceEnding(name, 60));
