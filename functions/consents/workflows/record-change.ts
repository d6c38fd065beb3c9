import { randomUUID } from 'node:crypto';
import { isUnavailable } from '../../../lib/runtime/failure.ts';
import { contended, jitter, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { ConsentRecord, ConsentRecords, ConsentState, ConsentStates } from '../../access/consent-states.ts';
import type { Decision } from '../rules/consent.ts';
import { type Circumstances, nextRecord } from '../rules/record.ts';
import type { Decided, ShownVersion, Step } from '../rules/several.ts';
import { appendRecords, decideTwice, readRecord, readState, readStates } from '../stores/consent-rows.ts';

/** Decisions on a user's agreements. Each decision is made from the state that it replaces. */

type AppendTables = {
  ConsentRecords: ConsentRecords<'get' | 'put'>;
  ConsentStates: ConsentStates<'put'>;
};
type ConsentChange = Omit<Circumstances, 'recordId'> & {
  /** A new one unless given. */
  recordId?: string;
  decide: (state: ConsentState | null) => Decision;
  /** The state if it was already read, null for none; otherwise it is read here. */
  state?: ConsentState | null;
  /** Where the newest record decides, too. */
  ledger?: ConsentRecords<'query'>;
  /** The newest record, if it was already read beside the state. */
  newest?: ConsentRecord | null | undefined;
  /** Called if this call wrote the record. */
  written?: () => void;
};

/** What varies in a test: ids and the wait between two tries. */
export type ChangeOptions = RetryOptions & { id: () => string };

/** Five repetitions: six parallel writers of one agreement all succeed. */
const defaults: ChangeOptions = { id: randomUUID, pause: jitter };

/**
 * Reads, decides and writes. If somebody else wrote in between, it decides again from the new state. So each of several
 * parallel calls gets a correct answer, and a repeated call writes nothing.
 *
 * @returns since when the state is the requested one; null if it was never different
 * @throws a Failure `UNAVAILABLE` if the contention lasts longer than the attempts, or if the outcome stays unknown
 */
export async function recordChange(
  tables: AppendTables & { ConsentStates: ConsentStates<'get'> },
  { decide, written, state: known, ledger, newest, ...circumstances }: ConsentChange,
  { id, ...options }: ChangeOptions = defaults,
): Promise<string | null> {
  return retryOnContention(async (attempt) => {
    const isKnown = attempt === 0 && known !== undefined;
    const state = isKnown ? known : await readState(tables.ConsentStates, circumstances);
    const { before, decision } = ledger
      ? await decideTwice(ledger, { ...circumstances, state, newest: isKnown ? newest : undefined }, decide)
      : { before: state, decision: decide(state) };
    if (decision.outcome === 'unchanged') return decision.at;
    const record = nextRecord(before, decision.change, { recordId: id(), ...circumstances });
    const pointers = new Map(state ? [[state.agreementId, state]] : []);
    if (!(await isAppended(tables, [record], id(), pointers))) return contended;
    written?.();
    return record.recordedAt;
  }, options);
}

type WantedAtOnce = Omit<Circumstances, 'recordId' | 'agreementId'> & {
  decide: (states: ReadonlyMap<string, ConsentState>) => Decided;
  /** The states if they were already read; otherwise they are read here. */
  states?: ReadonlyMap<string, ConsentState>;
  /** Called if this call wrote the record. */
  written?: () => void;
};

export type Recorded = { refused: ShownVersion } | { agreedAt: string[] };

/**
 * The same for several agreements of a user: all records are written, or none.
 *
 * @returns since when each state is the requested one, in the order of the decision's steps; or the refusal, with nothing written
 * @throws as `recordChange`
 */
export async function recordChanges(
  tables: AppendTables & { ConsentStates: ConsentStates<'query'> },
  { decide, written, states: known, ...circumstances }: WantedAtOnce,
  { id, ...options }: ChangeOptions = defaults,
): Promise<Recorded> {
  return retryOnContention<Recorded>(async (attempt) => {
    const isKnown = attempt === 0 && known !== undefined;
    const states = isKnown ? known : await readStates(tables.ConsentStates, circumstances.userId);
    const decided = decide(states);
    if (decided.outcome === 'refused') return decided;
    const records = new Map<Step, ConsentRecord>();
    for (const step of decided.steps) {
      if (step.outcome === 'unchanged') continue;
      const { agreementId } = step;
      const previous = states.get(agreementId) ?? null;
      records.set(step, nextRecord(previous, step.change, { ...circumstances, agreementId, recordId: id() }));
    }
    if (records.size > 0) {
      if (!(await isAppended(tables, [...records.values()], id(), states))) return contended;
      written?.();
    }
    const timeOf = (step: Step) => (step.outcome === 'unchanged' ? step.at : records.get(step)?.recordedAt);
    return { agreedAt: decided.steps.flatMap((step) => timeOf(step) ?? []) };
  }, options);
}

/**
 * A lost answer is not a lost write: if the outcome is unknown, the ledger shows it. The pointer does not: another call
 * may have moved it in the meantime, although this call's record exists. If there are several records, the first one
 * shows it for all.
 */
async function isAppended(
  tables: AppendTables,
  records: ConsentRecord[],
  token: string,
  pointers: ReadonlyMap<string, ConsentState>,
) {
  try {
    return await appendRecords(tables, records, token, pointers);
  } catch (error) {
    const [first] = records;
    if (!first || !isUnavailable(error)) throw error;
    const found = await readRecord(tables.ConsentRecords, first);
    if (!found) throw error;
    return found.recordId === first.recordId;
  }
}
