/**
 * When a consent ended with the account: at the first end that is not earlier than its record.
 *
 * @param recordedAt of the latest record; null where there is none
 * @param ends of the account, in order
 */
export function endAfter(recordedAt: string | null, ends: readonly string[]): string | null {
  return ends.find((end) => end >= (recordedAt ?? '')) ?? null;
}
