/**
 * How consent records are counted. Pure. A chain of records (one user, one agreement) is counted in their order, from how
 * far it is already counted. So changes that come twice, late or in parts lead to the same figures.
 */

export const countNames = ['agreements', 'revocations', 'returns', 'replaced'] as const;

/**
 * Of one version: `agreements` to it, `revocations` of it, `returns` of users who had revoked it, to any version, and
 * how many consents to it were `replaced` by one to another. Agreeing are agreements − revocations − replaced, and standing
 * revoked are revocations − returns.
 */
export type Counts = Record<(typeof countNames)[number], number>;

export type Recorded = { sequence: number; recordedAt: string; action: 'agreed' | 'revoked'; versionId: string };

/** What a chain says after its last counted record; null: nothing yet. */
type Standing = { action: 'agreed' | 'revoked'; versionId: string } | null;

/** How far a chain is counted, and how far that was taken back: the records of an erased user count no more. */
export type Counted = { sequence: number; released: number; standing: Standing };

type Tally = { date: string; versionId: string; counts: Counts };

/** A step of a chain's counting; where it is not `isDone` another follows. */
export type Step = { to: Counted; tallies: Tally[]; isDone: boolean };

export const uncounted: Counted = { sequence: 0, released: 0, standing: null };

export const nothing: Readonly<Counts> = { agreements: 0, revocations: 0, returns: 0, replaced: 0 };

/** Records of one step: each changes at most two versions, in a day's row and in the total's, and a transaction has 100. */
const mostOfStep = 24;

/** @param records what follows in the chain after `counted.sequence`, in order */
export function advance(counted: Counted, records: readonly Recorded[]): Step {
  const taken = records.slice(0, mostOfStep);
  const { standing, tallies } = tallied(counted.standing, taken, 1);
  const to = { ...counted, sequence: taken.at(-1)?.sequence ?? counted.sequence, standing };
  return { to, tallies, isDone: taken.length === records.length };
}

/** Takes back what was counted. @param chain all of its records, in order */
export function release(counted: Counted, chain: readonly Recorded[]): Step {
  const before = chain.filter(({ sequence }) => sequence <= counted.released);
  const counting = chain.filter(({ sequence }) => sequence > counted.released && sequence <= counted.sequence);
  const taken = counting.slice(0, mostOfStep);
  const { tallies } = tallied(tallied(null, before, 1).standing, taken, -1);
  const isDone = taken.length === counting.length;
  // What was never counted never will be.
  const end = Math.max(counted.sequence, chain.at(-1)?.sequence ?? 0);
  const to = isDone
    ? { ...counted, sequence: end, released: end }
    : { ...counted, released: taken.at(-1)?.sequence ?? counted.released };
  return { to, tallies, isDone };
}

function tallied(from: Standing, records: readonly Recorded[], sign: 1 | -1) {
  const tallies = new Map<string, Tally>();
  let standing = from;
  for (const record of records) {
    const date = record.recordedAt.slice(0, 10);
    for (const { versionId, name } of changesOf(standing, record)) {
      const key = `${date}#${versionId}`;
      const tally = tallies.get(key) ?? { date, versionId, counts: { ...nothing } };
      tally.counts[name] += sign;
      tallies.set(key, tally);
    }
    standing = after(standing, record);
  }
  return { standing, tallies: [...tallies.values()] };
}

type CountChange = { versionId: string; name: keyof Counts };

function changesOf(standing: Standing, { action, versionId }: Recorded): CountChange[] {
  const isAgreed = standing?.action === 'agreed';
  if (action === 'revoked') return isAgreed ? [{ versionId: standing.versionId, name: 'revocations' }] : [];
  const left: CountChange[] = standing
    ? [{ versionId: standing.versionId, name: isAgreed ? 'replaced' : 'returns' }]
    : [];
  return [{ versionId, name: 'agreements' }, ...left];
}

/** A revocation of nothing, which no rule writes, changes nothing. */
function after(standing: Standing, { action, versionId }: Recorded): Standing {
  if (action === 'agreed') return { action, versionId };
  return standing && { action: 'revoked', versionId: standing.versionId };
}
