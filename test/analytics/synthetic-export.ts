import { join } from 'node:path';
import { itemOf } from '../../bin/analytics/attribute-values.ts';
import { writeExport } from '../../bin/analytics/files.ts';
import { seededContents } from '../../bin/synthetic-patients/contents.ts';
import { syntheticPatients } from '../../bin/synthetic-patients/patients.ts';
import { rowsOf, type SyntheticRow } from '../../bin/synthetic-patients/rows.ts';
import type { Plan } from '../../bin/synthetic-patients/traits.ts';
import { exportedTables } from '../../functions/analytics/views.ts';

export const exportId = '01772409600000-aaaaaaaa';

/** The export that a stage with these patients would have. @returns their rows */
export async function exportSynthetic(folder: string, plan: Plan): Promise<SyntheticRow[]> {
  const contents = await seededContents();
  const rows = [...syntheticPatients(plan, contents)].flatMap((each) => rowsOf(each, contents.questionnaires));
  for (const table of exportedTables) {
    const items = rows.filter((row) => row.table === table).map(({ item }) => itemOf(item));
    await writeExport(join(folder, table), { exportId, table, now: new Date('2026-03-02T00:00:00.000Z') }, items);
  }
  return rows;
}
