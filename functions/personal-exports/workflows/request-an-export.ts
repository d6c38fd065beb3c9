import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { asked, decideRequest, type PersonalExport } from '../rules/export.ts';
import type { Latests } from '../stores/export-rows.ts';

export type Requesting = {
  readonly userId: string;
  readonly application: string;
  readonly random: string;
  readonly now: () => Date;
  readonly readLatest: () => Promise<Latests>;
  /** @returns false where another request was first */
  readonly add: (row: PersonalExport, latestId: string | null) => Promise<boolean>;
  readonly send: (row: PersonalExport) => Promise<void>;
};

export type Requested = { outcome: 'accepted'; row: PersonalExport } | { outcome: 'refused'; possibleAt: string };

/**
 * The row, then the message: who repeats a request that ended between the two sends it. A message too many does no harm.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function requestAnExport(how: Requesting, pause?: RetryOptions['pause']): Promise<Requested> {
  const requested = await retryOnContention(async (): Promise<Requested | typeof contended> => {
    const { latestId, rows } = await how.readLatest();
    const decided = decideRequest(rows, how.now());
    if (decided.outcome === 'refused') return decided;
    if (decided.outcome === 'open') return { outcome: 'accepted', row: decided.row };
    const row = asked({ ...how, now: how.now() });
    return (await how.add(row, latestId)) ? { outcome: 'accepted', row } : contended;
  }, pause && { pause });
  if (requested.outcome === 'accepted' && requested.row.status === 'pending') await how.send(requested.row);
  return requested;
}
