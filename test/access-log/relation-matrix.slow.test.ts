import { describe } from 'vitest';
import { describeMatrix } from './relation-matrix.ts';

/** As relation-matrix.test.ts, in the other environments. */

describe.each(['dev', 'staging'] as const)('%s', (environment) => describeMatrix(environment));
