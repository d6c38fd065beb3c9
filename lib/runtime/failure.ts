import { Internal, Timeout, Unavailable } from '../contract/common-errors.ts';
import type { DeclaredError, DetailOf } from '../contract/errors.ts';

/**
 * A declared way for a request to end other than with its response. Handlers return it, made by `fail`; the runtime and
 * the stores throw it for what every route can meet. It is not an Error: it has no stack worth taking.
 */
export class Failure<E extends DeclaredError = DeclaredError> {
  readonly error: E;
  readonly detail: DetailOf<E> | null;

  constructor(error: E, detail: DetailOf<E> | null = null) {
    this.error = error;
    this.detail = detail;
  }

  get code(): E['code'] {
    return this.error.code;
  }
}

const throttlings = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  // SQS's.
  'RequestThrottled',
  // SNS's, which its own model does not promise of every call.
  'Throttled',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
]);
const brokenConnections = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);

/** DynamoDB's reasons of a cancelled transaction that say that it was too busy. */
const busyReasons = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded', 'TransactionConflict']);

type Suspect = {
  name?: unknown;
  code?: unknown;
  $fault?: unknown;
  $metadata?: { httpStatusCode?: number };
  CancellationReasons?: { Code?: string }[];
};

/**
 * True where a dependency throttled, failed, hung, answered what nobody can read or could not be reached, after the SDK's
 * own retries. Whether a write took effect is then unknown.
 */
export function isUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, code, $fault, $metadata, CancellationReasons = [] } = error as Suspect;
  return (
    throttlings.has(String(name)) ||
    name === 'TimeoutError' ||
    brokenConnections.has(String(code)) ||
    $fault === 'server' ||
    isFailing($metadata?.httpStatusCode ?? 0) ||
    CancellationReasons.some((reason) => busyReasons.has(reason.Code ?? ''))
  );
}

/** An error with a status of success is the SDK's, which could not read the answer. */
function isFailing(status: number): boolean {
  return status >= 500 || (status >= 200 && status < 300);
}

/**
 * True where DynamoDB cancelled a transaction because another writer was there first, or because it was too busy for one
 * (which the SDK does not try again): nothing is written, and the decision is to be taken anew. A cancellation for any
 * other reason is a defect.
 */
export function isContention(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TransactionInProgressException') return true;
  if (error.name !== 'TransactionCanceledException') return false;
  const { CancellationReasons: reasons = [] } = error as Error & Suspect;
  return isUnavailable(error) || reasons.some(({ Code }) => Code === 'ConditionalCheckFailed');
}

/** Every error becomes a declared one: a defect is `INTERNAL`, and the caller learns nothing more about it. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof OutOfTime) return new Failure(Timeout);
  return isUnavailable(error) ? new Failure(Unavailable) : new Failure(Internal);
}

/** The function's time is nearly up; thrown a second before the gateway would see a crash. */
export class OutOfTime extends Error {}
