export type Decision = 'closing' | 'restored';

/** `at`: when it was stored, by S3. */
export type Decided = { readonly decision: Decision; readonly at: Date };

/** Whether the request of that time was taken back. */
export type TakenBack = (requestedAt: string) => boolean;

/**
 * A request that was taken back also takes back earlier requests without a decision. It does not take back requests
 * that were stored later. A decision that belongs to no request takes back nothing: otherwise a role that may decide
 * could take back all future requests.
 *
 * @param decisions by the times of the requests
 * @param asked when the evidence of each request was stored, by S3
 */
export function takenBackIn(
  decisions: ReadonlyMap<string | null, Decided>,
  asked: ReadonlyMap<string | null, Date>,
): TakenBack {
  const restored = [...decisions].flatMap(([requestedAt, { decision, at }]) =>
    requestedAt !== null && decision === 'restored' && asked.has(requestedAt) ? [{ requestedAt, at }] : [],
  );
  return (requestedAt) => {
    const decided = decisions.get(requestedAt);
    if (decided) return decided.decision === 'restored';
    const askedAt = asked.get(requestedAt);
    return restored.some((one) => requestedAt <= one.requestedAt && (!askedAt || askedAt <= one.at));
  };
}
