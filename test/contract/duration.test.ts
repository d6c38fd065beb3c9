import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Duration, durationMs } from '../../lib/contract/duration.ts';

const hour = 3_600_000;

test.each([
  ['PT8H', 8 * hour],
  ['P1D', 24 * hour],
  ['P1W', 168 * hour],
  ['P1W2DT3H4M5S', 168 * hour + 48 * hour + 3 * hour + 245_000],
  ['P1DT30M', 24.5 * hour],
  ['PT36H', 36 * hour],
  ['PT90M', 1.5 * hour],
  ['PT0.5S', 500],
  ['PT0,25S', 250],
  ['PT1.007S', 1_007],
  ['PT0S', 0],
  ['P0D', 0],
  ['-PT8H', -8 * hour],
  ['-P1DT0.001S', -24 * hour - 1],
  ['-PT0S', 0],
  ['+PT1M', 60_000],
])('%s is %i ms', (text, expected) => {
  expect(z.safeParse(Duration, text).success).toBe(true);
  expect(durationMs(text)).toBe(expected);
});

test.each([
  ['nothing', ''],
  ['no part', 'P'],
  ['no part of time', 'P1DT'],
  ['only a time without its T', 'P8H'],
  ['years', 'P1Y'],
  ['months', 'P1M'],
  ['another order', 'PT5M8H'],
  ['a part twice', 'PT1H1H'],
  ['lower case', 'pt8h'],
  ['a fraction of something else than seconds', 'PT0.5H'],
  ['microseconds', 'PT0.0001S'],
  ['a sign within', 'PT-8H'],
  ['two signs', '--PT8H'],
  ['digits of another script', 'PT٨H'],
  ['ten digits', 'PT1234567890S'],
  ['something after it', 'PT8H '],
  ['a number', '28800'],
])('%s is no duration: %s', (_name, text) => {
  expect(z.safeParse(Duration, text).success).toBe(false);
  expect(durationMs(text)).toBeNaN();
});
