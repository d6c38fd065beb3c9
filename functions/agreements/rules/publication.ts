/**
 * When a version may be published or withdrawn (decision 24). Pure: times are ISO 8601 in UTC with milliseconds,
 * which compare as text, and nothing else of the version matters.
 */

export type Publication = { publishedAt: string | null; effectiveFrom: string | null; withdrawnAt: string | null };

export type PublicationDecision =
  | { outcome: 'publish'; publishedAt: string; effectiveFrom: string }
  /** It is published just so already. */
  | { outcome: 'unchanged' }
  /** It was published otherwise, or withdrawn since. */
  | { outcome: 'published' }
  | { outcome: 'past' };

/** @param effectiveFrom null: at once */
export function decidePublication(
  { publishedAt, effectiveFrom: stands, withdrawnAt }: Publication,
  effectiveFrom: string | null,
  now: string,
): PublicationDecision {
  if (publishedAt !== null) {
    const isSame = withdrawnAt === null && (effectiveFrom === null || effectiveFrom === stands);
    return { outcome: isSame ? 'unchanged' : 'published' };
  }
  // What users agreed to in the past must not be decided afterwards.
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
