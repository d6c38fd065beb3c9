export type Decision = 'closing' | 'restored';

/** `at`: when it was laid, by S3. */
export type Decided = { readonly decision: Decision; readonly at: Date };

/** Whether the request of that time was taken back. */
export type TakenBack = (requestedAt: string) => boolean;

/**
 * One that was taken back takes those before it with it, of which nothing is decided: not those that were laid after that, and
 * not where it is a decision of no request. Who may decide could else write one that takes back all that will ever be asked.
 *
 * @param decisions by the times of the requests
 * @param asked when each request was laid, by S3
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
