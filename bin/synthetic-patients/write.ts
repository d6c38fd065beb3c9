import type { ConsentState } from '../../functions/access/consent-states.ts';
import { stateOf } from '../../functions/consents/rules.ts';
import { appendRecords } from '../../functions/consents/stores/consent-rows.ts';
import { readUser } from '../../functions/users/stores/users.ts';
import type { Users } from '../../functions/users/tables.ts';
import { transact } from '../../lib/runtime/commit.ts';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { put } from '../../lib/runtime/rows.ts';
import type { Any, Handle } from '../../lib/runtime/table-handle.ts';
import type { Contents, SyntheticPatient } from './patients.ts';
import { consentRecordsOf, rowsOf, type SyntheticTable, type syntheticTables } from './rows.ts';

export type WriteDependencies = {
  readonly tables: {
    readonly [N in SyntheticTable]: Handle<Extract<(typeof syntheticTables)[number], { readonly name: N }>, 'put'>;
  } & { readonly Users: Users<'get'> };
};

/** DynamoDB takes 100 items and 4 MB in a transaction; a row here has 3 KB at most. */
const together = 100;
const patientsAtOnce = 4;

/**
 * Writes the patients that do not exist yet. After a crash the same call finishes the work: rows are always made the same way, and
 * the profile is written last. So a patient with a profile is complete.
 *
 * @returns the number of patients that were written
 */
export async function writePatients(
  deps: WriteDependencies,
  patients: Iterable<SyntheticPatient>,
  { questionnaires }: Pick<Contents, 'questionnaires'>,
  progress: (written: number) => void = () => {},
): Promise<number> {
  let written = 0;
  const take = async (some: readonly SyntheticPatient[]) => {
    const wrote = await mapWithConcurrency(some, patientsAtOnce, (patient) =>
      writePatient(deps, patient, questionnaires),
    );
    written += wrote.filter(Boolean).length;
    progress(written);
  };
  let waiting: SyntheticPatient[] = [];
  for (const patient of patients) {
    waiting.push(patient);
    if (waiting.length < 10 * patientsAtOnce) continue;
    await take(waiting);
    waiting = [];
  }
  await take(waiting);
  return written;
}

async function writePatient(
  { tables }: WriteDependencies,
  patient: SyntheticPatient,
  questionnaires: Contents['questionnaires'],
): Promise<boolean> {
  if (await readUser(tables.Users, patient.userId)) return false;
  // The ledger accepts each record once, on the condition that the pointer shows the record before it.
  const pointers = new Map<string, ConsentState>();
  for (const record of consentRecordsOf(patient)) {
    await appendRecords(tables, [record], record.recordId, pointers);
    pointers.set(record.agreementId, stateOf(record));
  }
  const rows = rowsOf(patient, questionnaires).filter(({ table }) => !table.startsWith('Consent'));
  for (let from = 0; from < rows.length; from += together) {
    await transact(rows.slice(from, from + together).map(({ table, item }) => put<Any<'put'>>(tables[table], item)));
  }
  return true;
}
