import { PreconditionFailed } from '../../../lib/contract/common-errors.ts';
import { outcomeOf } from '../../../lib/runtime/last-write-wins.ts';
import { putLastWrite } from '../../../lib/runtime/last-write-wins-rows.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { deleteSleepEntry } from '../routes.ts';
import { entryHandle } from '../stores/entry-rows.ts';
import type { EntryRow } from '../tables.ts';

export const handler = serve(deleteSleepEntry)(async ({ params, query, headers, caller, now, tables, fail }) => {
  const { date } = params;
  const { outcome, row } = await putLastWrite<EntryRow>(entryHandle(tables.SleepEntries, caller.userId, date), {
    incoming: { statedAt: query.recordedAt ?? null, fingerprint: '', isDeleted: true, ifMatch: headers['if-match'] },
    now,
    rowOf: async () => ({ row: { date, content: null, night: null } }),
  });
  if (outcome === 'refused' || !row) return fail(PreconditionFailed);
  const { isDeleted: deleted, updatedAt, replacedAt } = row;
  return { date, deleted, updatedAt, replacedAt, outcome: outcomeOf(outcome) };
});
