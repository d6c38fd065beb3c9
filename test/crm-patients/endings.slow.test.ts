import { describe, test } from 'vitest';
import { endingNames, raceEnding } from './endings.ts';

/** As endings.test.ts, with a thousand requests after each of the endings; in parts, so that none comes near a test's time on a busy machine. */

const parts = Array.from({ length: 6 }, (_, index) => index + 1);

describe.each(endingNames)('%s', (name) => {
  test.each(parts)('56 times, part %i', () => raceEnding(name, 56));
});
