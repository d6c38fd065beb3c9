/** The result of an invocation. */
type InvokeSuccess = {
  readonly ok: true;
  readonly payload: unknown;
  /** Milliseconds from the start of the environment to the loaded handler; null when the environment was warm. */
  readonly initMs: number | null;
  readonly durationMs: number;
};

export type InvokeFailure = {
  readonly ok: false;
  /**
   * `error`: the handler threw. `crash`: the process ended. `timeout`: it was killed at the function's time-out.
   * `init`: the handler could not be loaded. `rejected`: Lambda would not have taken the invocation.
   */
  readonly kind: 'crash' | 'timeout' | 'error' | 'init' | 'rejected';
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
  readonly initMs: number | null;
  readonly durationMs: number;
};

export type InvokeResult = InvokeSuccess | InvokeFailure;

/** The `errorType` of an event above Lambda's 6 MB. */
export const requestTooLarge = 'RequestEntityTooLargeException';

export function invokeFailure(
  kind: InvokeFailure['kind'],
  errorType: string,
  errorMessage: string,
  more: Partial<Pick<InvokeFailure, 'trace' | 'initMs' | 'durationMs'>> = {},
): InvokeFailure {
  return { ok: false, kind, errorType, errorMessage, trace: [], initMs: null, durationMs: 0, ...more };
}

/** The items that a consumer reports as not consumed: Lambda's `ReportBatchItemFailures`. */
export function failedItems(payload: unknown): (string | null | undefined)[] {
  const { batchItemFailures } = (payload ?? {}) as { batchItemFailures?: { itemIdentifier?: string | null }[] | null };
  return (batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
}

/** The runtime's report of an environment that ended. */
export function ending(errorMessage: string, errorType = 'Runtime.ExitError'): ErrorReport {
  return { errorType, errorMessage, trace: [] };
}

export const outOfMemory = () => ending('signal: aborted, out of memory', 'Runtime.OutOfMemory');

/** The runtime's report of an error. */
export type ErrorReport = {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
};
