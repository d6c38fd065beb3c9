import { mailTo, noticeId } from '../../mail/exports.ts';
import type { Erasure } from '../rules/state.ts';

/**
 * What the owner of an account is told about its deletion. Sent after the decision and before the account's sessions end, and again if the
 * request is repeated: the same decision has the same mail, which is sent once.
 */

type Account = { readonly userId: string; readonly application: 'sleepcare' | 'medinfo' };

/** @throws an Error where the queue does not take it: the request is answered with 503, and is repeated */
export async function tellRequested(
  queueUrl: string,
  kind: 'deletion-requested' | 'deletion-requested-for-you',
  { userId, application }: Account,
  { requestedAt, graceEndsAt, closingAt }: Erasure,
): Promise<void> {
  // Once it cannot be taken back, there is no time to tell.
  if (!requestedAt || !graceEndsAt || closingAt) return;
  const mail = { kind, application, to: { userId }, locale: null, data: { until: graceEndsAt } };
  await mailTo(queueUrl, mail, noticeId(userId, 'deletion-requested', requestedAt));
}

/** @throws an Error where the queue does not take it */
export async function tellTakenBack(
  queueUrl: string,
  { userId, application }: Account,
  erasure: Erasure | null,
): Promise<void> {
  // Nothing was ever asked for, or it was asked for again meanwhile.
  if (!erasure?.restoredAt || erasure.requestedAt) return;
  const kind = 'deletion-taken-back';
  const mail = { kind, application, to: { userId }, locale: null, data: {} } as const;
  await mailTo(queueUrl, mail, noticeId(userId, kind, erasure.restoredAt));
}
