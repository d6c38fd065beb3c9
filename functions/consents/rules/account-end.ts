/**
 * When a consent ended with the account: at the first end that is not earlier than its record. Null where it did not.
 *
 * @param recordedAt of the latest record
 * @param ends of the account, in order
 */
export function endAfter(recordedAt: string, ends: readonly string[]): string | null {
  return ends.find((end) => end >= recordedAt) ?? null;
}
