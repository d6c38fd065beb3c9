import { test } from 'vitest';
import { endingNames, raceEnding } from './endings.ts';

/** No request that starts after an ending was answered gets data; a thousand times in endings.slow.test.ts. */

// At once: each has a site and people of its own.
test.concurrent.each(endingNames)('%s, twice', (name) => raceEnding(name, 2));
