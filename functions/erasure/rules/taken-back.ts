export type Decision = 'closing' | 'restored';

/** Whether the request of that time was taken back. */
export type TakenBack = (requestedAt: string) => boolean;

/** @param decisions by the times of the requests */
export function takenBackIn(decisions: ReadonlyMap<string | null, Decision>): TakenBack {
  const last = [...decisions]
    .flatMap(([at, one]) => (at !== null && one === 'restored' ? [at] : []))
    .toSorted()
    .at(-1);
  return (requestedAt) => {
    const decided = decisions.get(requestedAt);
    return decided ? decided === 'restored' : last !== undefined && requestedAt <= last;
  };
}
