import { vi } from 'vitest';

/** Ends a wait that hangs. No healthy run comes near it, however busy the machine is; what takes how long, `npm run bench` says. */
export const hangMs = 60_000;

/**
 * Waits until the check no longer throws.
 *
 * @returns what the check returned
 * @throws the check's last error after `hangMs`
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: hangMs, interval: 20 });
}
