import { Internal, Timeout, Unavailable } from '../contract/common-errors.ts';
import type { DeclaredError, DetailOf } from '../contract/errors.ts';

/**
 * A declared way for a request to end other than with its response. Handlers return it, made by `fail`. The runtime and the
 * stores throw it for errors that every route can have. It is not an Error, as nobody needs its stack.
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
  // An error of SQS.
  'RequestThrottled',
  // An error of SNS; SNS's own model does not list it for every call.
  'Throttled',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  // A transaction has had the row during all tries (documents.ts).
  'TransactionConflictException',
  // The same transaction, sent a second time, was still under way at each of the SDK's tries. It may take effect, so it is not decided anew.
  'TransactionInProgressException',
]);
const brokenConnections = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);

/**
 * Node's codes for a connection that TLS refused: OpenSSL's results of a certificate's check, and errors of the handshake. The
 * request was not sent.
 * https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
const brokenTls = /^(EPROTO$|(ERR_SSL|ERR_TLS|CERT|CRL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME)_|INVALID_CA$)/;

/** DynamoDB's reasons for a cancelled transaction that mean that it was too busy. */
const busyReasons = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded', 'TransactionConflict']);

type Suspect = {
  name?: unknown;
  code?: unknown;
  $fault?: unknown;
  $metadata?: { httpStatusCode?: number };
  CancellationReasons?: { Code?: string }[];
};

/**
 * True where a dependency throttled, failed, hung, could not be reached or sent an unreadable answer, after the SDK's own
 * retries. It is then unknown whether a write took effect.
 */
export function isUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, code, $fault, $metadata, CancellationReasons = [] } = error as Suspect;
  return (
    throttlings.has(String(name)) ||
    name === 'TimeoutError' ||
    brokenConnections.has(String(code)) ||
    brokenTls.test(String(code)) ||
    $fault === 'server' ||
    isFailing($metadata?.httpStatusCode ?? 0) ||
    CancellationReasons.some((reason) => busyReasons.has(reason.Code ?? ''))
  );
}

/** An error with a success status comes from the SDK, which could not read the answer. */
function isFailing(status: number): boolean {
  return status >= 500 || (status >= 200 && status < 300);
}

/**
 * True where DynamoDB cancelled a transaction because another writer was first, or because it was too busy (the SDK does
 * not retry that). Nothing is written then, and the caller has to decide again on fresh reads. A cancellation for any other
 * reason is a defect.
 */
export function isContention(error: unknown): error is Overtaken {
  if (!(error instanceof Error)) return false;
  if (error.name !== 'TransactionCanceledException') return false;
  const { CancellationReasons: reasons = [] } = error as Error & Suspect;
  return isUnavailable(error) || reasons.some(({ Code }) => Code === 'ConditionalCheckFailed');
}

/** What DynamoDB says of a write that it refused: the row that stands, where the command asked for it, and why each item was refused. */
export type Overtaken = Error & Pick<Suspect, 'CancellationReasons'> & { Item?: Readonly<Record<string, unknown>> };

/** True where DynamoDB refused the write of one row, which is in no transaction, because its condition does not hold. */
export function isRefused(error: unknown): error is Overtaken {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/** True where a transaction was refused because of this item: its condition does not hold, or what else the reason's code names. */
export function isRefusedAt(error: unknown, index: number, code = 'ConditionalCheckFailed'): boolean {
  const { CancellationReasons = [] } = error as Suspect;
  return CancellationReasons[index]?.Code === code;
}

/** Every error becomes a declared one: a defect becomes `INTERNAL`, and the caller gets no details. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof OutOfTime) return new Failure(Timeout);
  return isUnavailable(error) ? new Failure(Unavailable) : new Failure(Internal);
}

/** The function's time is nearly over. Thrown a second before the gateway would see a crash. */
export class OutOfTime extends Error {}
