/** What a refresh token is worth when it is presented (decision 56). Pure. */

/** A token that was replaced. */
export type Predecessor = {
  readonly hash: string;
  /** The token that replaced it. Only the replaced token opens it. */
  readonly sealedSuccessor: string;
  /** ISO 8601; real time. */
  readonly replacedAt: string;
};

/** The oldest first. */
export type Chain = { readonly tokenHash: string; readonly predecessors?: readonly Predecessor[] | undefined };

export type Standing =
  | { readonly is: 'current' }
  /** A repetition: it gets the same successor as before. */
  | { readonly is: 'replaced'; readonly sealedSuccessor: string }
  /** Its successor was used, so two have the session's tokens. */
  | { readonly is: 'reused' };

/** An app may send a renewal again for so long, even if its successor was used meanwhile. */
export const graceMs = 60_000;

/** Keeps the row small. A session whose tokens are all younger than the grace keeps its token. */
const mostPredecessors = 20;

/** @param hash of a token of this session that we made */
export function standingOf({ tokenHash, predecessors = [] }: Chain, hash: string, now: Date): Standing {
  if (hash === tokenHash) return { is: 'current' };
  const index = predecessors.findIndex((each) => each.hash === hash);
  const found = predecessors[index];
  // The last one's successor is the present token, which nobody has used.
  const counts = found && (index === predecessors.length - 1 || isInGrace(found, now));
  return counts ? { is: 'replaced', sealedSuccessor: found.sealedSuccessor } : { is: 'reused' };
}

/** @returns the predecessors with a further one; null where the present token stays */
export function replacing({ predecessors = [] }: Chain, replaced: Predecessor, now: Date): Predecessor[] | null {
  const kept = predecessors.filter((each) => isInGrace(each, now));
  return kept.length < mostPredecessors ? [...kept, replaced] : null;
}

function isInGrace({ replacedAt }: Predecessor, now: Date): boolean {
  return now.getTime() < Date.parse(replacedAt) + graceMs;
}
