import { test } from 'vitest';
import { endingNames, raceEnding } from './endings.ts';

/** As endings.test.ts, a thousand times in all. */

test.each(endingNames)('%s, 334 times', (name) => raceEnding(name, 334));
