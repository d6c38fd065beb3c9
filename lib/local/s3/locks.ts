import type { BucketModel, RetentionMode } from '../model.ts';
import { accessDenied, invalidArgument, invalidRequest } from './failures.ts';
import type { Retention, Version } from './versions.ts';

/** Object lock's rules, pure: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html */

type Headers = Readonly<Record<string, string>>;
const DAY = 24 * 60 * 60 * 1000;

export function statesLock(headers: Headers): boolean {
  return Object.keys(headers).some((name) => name.startsWith('x-amz-object-lock-'));
}

/** The lock of a new version: the retention that it states, or the bucket's default. @throws S3Failure */
export function lockOfNew(
  headers: Headers,
  { lock }: BucketModel,
  now: number,
): { retention: Retention | null; isHeld: boolean | null } {
  if (statesLock(headers)) assertHasLock(lock);
  const mode = headers['x-amz-object-lock-mode'];
  const until = headers['x-amz-object-lock-retain-until-date'];
  const hold = headers['x-amz-object-lock-legal-hold'];
  if ((mode === undefined) !== (until === undefined)) {
    const message = 'x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied';
    throw invalidArgument(message, 'x-amz-object-lock-mode', mode);
  }
  const byDefault = lock?.retention && {
    mode: lock.retention.mode,
    until: new Date(now + lock.retention.days * DAY).toISOString(),
  };
  return {
    retention: until === undefined ? (byDefault ?? null) : retentionOf(mode, until, now),
    isHeld: hold === undefined ? null : holdOf(hold),
  };
}

export function assertHasLock(lock: BucketModel['lock']): void {
  if (!lock) throw invalidRequest('Bucket is missing Object Lock Configuration');
}

export function retentionOf(mode: string | undefined, until: string, now: number): Retention {
  if (!isMode(mode)) throw invalidArgument('Unknown wormMode directive.', 'x-amz-object-lock-mode', mode);
  const at = Date.parse(until);
  if (!(at > now)) {
    throw invalidArgument('The retain until date must be in the future!', 'x-amz-object-lock-retain-until-date', until);
  }
  return { mode, until: new Date(at).toISOString() };
}

export function holdOf(status: string): boolean {
  if (!['ON', 'OFF'].includes(status)) {
    throw invalidArgument('Legal Hold must be either of "ON" or "OFF"', 'x-amz-object-lock-legal-hold', status);
  }
  return status === 'ON';
}

/** A legal hold applies to every caller and has no end. Governance can be bypassed, compliance cannot. */
export function assertRemovable({ retention, isHeld }: Version, now: number, bypasses: boolean): void {
  const isRetained = retention !== null && Date.parse(retention.until) > now;
  const isBypassed = bypasses && retention?.mode === 'GOVERNANCE';
  if (isHeld || (isRetained && !isBypassed)) {
    throw accessDenied('Access Denied because object protected by object lock.');
  }
}

/** A current retention can be prolonged; weakening it needs the bypass. @param next null removes the retention */
export function assertChangeable(current: Retention | null, next: Retention | null, now: number, bypasses: boolean) {
  if (!current || Date.parse(current.until) <= now) return;
  const isProlonged = next?.mode === current.mode && Date.parse(next.until) >= Date.parse(current.until);
  if (isProlonged || (bypasses && current.mode === 'GOVERNANCE')) return;
  throw accessDenied('Access Denied because object protected by object lock.');
}

function isMode(mode: string | undefined): mode is RetentionMode {
  return mode === 'GOVERNANCE' || mode === 'COMPLIANCE';
}
