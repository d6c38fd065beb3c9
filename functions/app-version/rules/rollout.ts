import { createHash } from 'node:crypto';

/**
 * A device's place in the rollout of something, from 0 up to 100, which is left out: it never changes, and is another one for
 * something else. Who is rolled out to so many percent has a place below that number.
 */
export function rolloutPlace(deviceId: string, something: string): number {
  const hash = createHash('sha256').update(`${deviceId}#${something}`).digest();
  return (hash.readUInt32BE(0) / 2 ** 32) * 100;
}
