import type { ConsentRecord } from '../../access/consent-states.ts';
import { readRecordAt, readRecords, readStates } from '../../consents/exports.ts';
import type { Linked } from '../rules/consent.ts';
import type { FhirDependencies } from './dependencies.ts';

/** A person's records, agreement by agreement, each with its neighbours. */

export type PlacedRecord = { readonly linked: Linked; readonly place: string };

type Chain = { readonly records: readonly PlacedRecord[]; readonly isOver: boolean };

/** Agreements that are read at once; a page ends where they do. */
const atOnce = 5;

/**
 * By the agreements' ids, the newest record of each first. A place is `<agreementId>#<recordedAt>`; without the time the agreement
 * is over.
 */
export async function readChains(
  deps: FhirDependencies,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: PlacedRecord[]; next: string | null }> {
  const { tables, userId } = deps;
  const [from = '', at = ''] = after?.split('#') ?? [];
  const agreements = [...(await readStates(tables.ConsentStates, userId)).keys()].toSorted();
  const rest = agreements.filter((agreementId) => agreementId > from || (agreementId === from && at !== ''));
  const batch = rest.slice(0, atOnce);
  const chains = await Promise.all(
    batch.map((agreementId) => readChain(deps, agreementId, limit, agreementId === from ? at : null)),
  );
  const open = chains.findIndex(({ isOver }) => !isOver);
  const known = open < 0 ? chains : chains.slice(0, open + 1);
  const records = known.flatMap((chain) => chain.records);
  const found = records.slice(0, limit);
  const isAll = open < 0 && found.length === records.length;
  if (isAll) return { found, next: rest.length > batch.length ? `${batch.at(-1)}#` : null };
  return { found, next: found.at(-1)?.place ?? null };
}

/** @param newerThan the time of the record that was the last before these; null: from the newest on */
async function readChain(
  { tables, userId }: FhirDependencies,
  agreementId: string,
  limit: number,
  newerThan: string | null,
): Promise<Chain> {
  const owner = { userId, agreementId };
  const { records, next } = await readRecords(tables.ConsentRecords, owner, { limit, after: newerThan });
  const last = records.at(-1);
  const beyond =
    last && next !== null && last.action === 'revoked'
      ? await readRecordAt(tables.ConsentRecords, { ...owner, at: justBefore(last) })
      : null;
  const placed = records.map((record, index) => {
    const newerAt = index === 0 ? newerThan : (records[index - 1]?.recordedAt ?? null);
    const linked = { record, newerAt, older: records[index + 1] ?? beyond };
    const isEnd = next === null && index === records.length - 1;
    return { linked, place: `${agreementId}#${isEnd ? '' : record.recordedAt}` };
  });
  return { records: placed, isOver: next === null };
}

/** The times of a chain are milliseconds, each later than the one before. */
function justBefore({ recordedAt }: ConsentRecord): string {
  return new Date(Date.parse(recordedAt) - 1).toISOString();
}
