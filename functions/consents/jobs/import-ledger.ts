import type { ConsentRecord, ConsentRecords, ConsentState, ConsentStates } from '../../access/consent-states.ts';
import type { Decision } from '../rules/consent.ts';
import { nextRecord, partitionOf } from '../rules/record.ts';
import { readRecordAt, readState } from '../stores/consent-rows.ts';
import { recordChange } from '../workflows/record-change.ts';

type Owner = { userId: string; agreementId: string };
type ImportedLedgerTables = {
  ConsentRecords: ConsentRecords<'get' | 'query' | 'put'>;
  ConsentStates: ConsentStates<'get' | 'put'>;
};
type ImportedRecord = Owner & {
  now: Date;
  recordId: string;
  requestId: string;
  source: 'imported';
  decide: (latest: ConsentState | null) => Decision;
};

/** What an import reads and writes. */
export type Ledger = {
  /** The last record that is not later than `at`. */
  earlier(owner: Owner, at: string): Promise<ConsentRecord | null>;
  change(wanted: ImportedRecord): Promise<unknown>;
};

/** Records are written like those of users: in the same transaction, under the same conditions. */
export function openLedger(tables: ImportedLedgerTables): Ledger {
  return {
    earlier: (owner, at) => readRecordAt(tables.ConsentRecords, { ...owner, at }),
    change: (wanted) => recordChange(tables, wanted),
  };
}

/** Writes nothing: it keeps in memory the record that each line would write. */
export function openTrial(tables: ImportedLedgerTables): Ledger {
  const ledger = openLedger(tables);
  const made = new Map<string, ConsentRecord[]>();
  const madeOf = (owner: Owner) => made.get(partitionOf(owner)) ?? [];
  return {
    async earlier(owner, at) {
      return madeOf(owner).findLast(({ recordedAt }) => recordedAt <= at) ?? (await ledger.earlier(owner, at));
    },
    async change({ decide, ...at }) {
      const latest = madeOf(at).at(-1) ?? (await readState(tables.ConsentStates, at));
      const decision = decide(latest);
      if (decision.outcome === 'unchanged') return;
      made.set(partitionOf(at), [...madeOf(at), nextRecord(latest, decision.change, at)]);
    },
  };
}
