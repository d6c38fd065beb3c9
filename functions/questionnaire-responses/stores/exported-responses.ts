import type { ExportReader } from '../../../lib/runtime/exporter.ts';
import { between, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { QuestionnaireResponses } from '../tables.ts';

/**
 * In the order of their keys. `at#…` and `of#…` are left out: they are only lists of the completed responses under
 * `response#…`.
 */
const ranges = [
  ['occurrence#', 'occurrence$'],
  ['reminder#', 'reminder$'],
  ['response#', 'response$'],
] as const;

const pageRows = 25;

/** A person's responses and drafts, each once; the response of each occurrence; and the reminders that were sent. */
export const readAllResponses: ExportReader<{
  readonly QuestionnaireResponses: QuestionnaireResponses<'query'>;
}> = async ({ tables }, { userId }, position) => {
  const after = position === null ? '' : String(position.part);
  const range = ranges.find(([, last]) => after < last);
  if (!range) return { rows: [], next: null };
  const [first, last] = range;
  const query = {
    ...inPartition({ userId }, { part: between(first, last) }),
    ...(after > first && { ExclusiveStartKey: { userId, part: after } }),
  };
  const { rows, hasMore } = await queryPage<Record<string, unknown>>(tables.QuestionnaireResponses, query, pageRows);
  const part = hasMore ? String(rows.at(-1)?.part) : last;
  return {
    // Counts and hashes are internal data of the service. A correction is a row of its own.
    rows: rows.map(({ revision: _revision, fingerprint: _fingerprint, corrected: _corrected, ...row }) => row),
    next: part === 'response$' ? null : { part },
  };
};
