import { expect, test } from 'vitest';
import { typed } from '../typed.ts';

test('`npm run cli -- trace` prints a line for each place', async () => {
  expect((await typed(['trace', 'read-health', '1:1', '900:1'])).out.trim().split('\n')).toHaveLength(2);
});
