/**
 * When a version may be published or withdrawn (decision 24). Pure: times are ISO 8601 in UTC with milliseconds,
 * which compare as text. Only the three times of a version matter.
 */

export type Publication = { publishedAt: string | null; effectiveFrom: string | null; withdrawnAt: string | null };

export type PublicationDecision =
  | { outcome: 'publish'; publishedAt: string; effectiveFrom: string }
  /** It is already published with these values. */
  | { outcome: 'unchanged' }
  /** It was published with another `effectiveFrom`, or has been withdrawn. */
  | { outcome: 'published' }
  | { outcome: 'past' };

/** @param effectiveFrom null means now */
export function decidePublication(
  { publishedAt, effectiveFrom: stands, withdrawnAt }: Publication,
  effectiveFrom: string | null,
  now: string,
): PublicationDecision {
  if (publishedAt !== null) {
    const isSame = withdrawnAt === null && (effectiveFrom === null || effectiveFrom === stands);
    return { outcome: isSame ? 'unchanged' : 'published' };
  }
  // A time in the past would change afterwards which version users agreed to.
  if (effectiveFrom !== null && effectiveFrom < now) return { outcome: 'past' };
  return { outcome: 'publish', publishedAt: now, effectiveFrom: effectiveFrom ?? now };
}

export type WithdrawalDecision =
  | { outcome: 'withdraw'; withdrawnAt: string }
  | { outcome: 'unchanged' }
  | { outcome: 'draft' };

export function decideWithdrawal({ publishedAt, withdrawnAt }: Publication, now: string): WithdrawalDecision {
  if (publishedAt === null) return { outcome: 'draft' };
  return withdrawnAt === null ? { outcome: 'withdraw', withdrawnAt: now } : { outcome: 'unchanged' };
}
