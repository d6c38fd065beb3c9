import { failedItems, type InvokeResult } from '../functions/result.ts';
import type { StreamSourceModel } from '../model.ts';
import type { StreamRecord } from './stream-client.ts';

/**
 * What Lambda does with a batch of a stream: it keeps the order, halves a failed batch, retries, and gives up in the
 * end.
 */

export type BatchOptions = {
  readonly source: Pick<StreamSourceModel, 'bisects' | 'retries' | 'maxAgeMs' | 'reportsFailures'>;
  readonly invoke: (records: readonly StreamRecord[]) => Promise<InvokeResult>;
  readonly giveUp: (records: readonly StreamRecord[], given: GivenUp) => Promise<void>;
  readonly now: () => number;
  /** Waits before another attempt. */
  readonly pause: (attempt: number) => Promise<unknown>;
  readonly isClosed: () => boolean;
};

export type GivenUp = {
  readonly condition: 'RetryAttemptsExhausted' | 'MaximumRecordAgeExceeded';
  readonly attempts: number;
  readonly error: string | null;
};

export async function consumeBatch(batch: readonly StreamRecord[], options: BatchOptions): Promise<void> {
  const { source, invoke, giveUp, now, pause, isClosed } = options;

  async function consume(records: readonly StreamRecord[], attempt: number): Promise<void> {
    if (records.length === 0 || isClosed()) return;
    const isOld = ({ dynamodb }: StreamRecord) =>
      now() - dynamodb.ApproximateCreationDateTime * 1000 > source.maxAgeMs + 1000;
    const old = records.filter(isOld);
    if (old.length > 0) {
      await giveUp(old, { condition: 'MaximumRecordAgeExceeded', attempts: attempt, error: null });
      return consume(
        records.filter((record) => !isOld(record)),
        attempt,
      );
    }
    const result = await invoke(records);
    if (isClosed()) return;
    const from = failedFrom(result, records, source.reportsFailures);
    if (from === null) return;
    // Records that were consumed before are progress, so this is no new attempt.
    if (from > 0) return consume(records.slice(from), attempt);
    if (source.bisects && records.length > 1) {
      // "Splitting a batch doesn't count towards the retry quota" (Lambda developer guide).
      const half = Math.ceil(records.length / 2);
      await consume(records.slice(0, half), attempt);
      return consume(records.slice(half), attempt);
    }
    if (attempt >= source.retries) {
      const error = result.ok ? null : result.errorMessage;
      return giveUp(records, { condition: 'RetryAttemptsExhausted', attempts: attempt + 1, error });
    }
    await pause(attempt);
    return consume(records, attempt + 1);
  }

  await consume(batch, 0);
}

/** @returns the index of the first record that was not consumed; null if all were consumed */
function failedFrom(result: InvokeResult, records: readonly StreamRecord[], reports: boolean): number | null {
  if (!result.ok) return 0;
  if (!reports) return null;
  const failures = failedItems(result.payload);
  if (failures.length === 0) return null;
  const indexes = failures.map((itemIdentifier) =>
    records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
  );
  // A sequence number outside the batch is a failure of the whole batch.
  return Math.max(0, Math.min(...indexes));
}
