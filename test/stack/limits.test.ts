import { expect, test } from 'vitest';
import { environments } from '../../functions/product.ts';
import { exceeded, limitsOf } from './limits.ts';
import { stage } from './stage.ts';

test.each(environments)('%s: is within every limit that grows with the domains', (environment) => {
  const limits = limitsOf(stage(environment));
  expect(limits.length).toBeGreaterThan(300);
  expect(exceeded(limits)).toEqual([]);
});
