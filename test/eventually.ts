import { vi } from 'vitest';
import { hangMs } from './hang.ts';

/**
 * Waits until the check no longer throws. What takes how long is for `npm run bench` to say.
 *
 * @returns what the check returned
 * @throws the check's last error after `hangMs`
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: hangMs, interval: 20 });
}
