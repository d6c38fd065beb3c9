import { serve } from '../../../lib/runtime/serve.ts';
import { listQuestionnaireScores } from '../routes.ts';
import { seriesOf } from '../rules/score-series.ts';
import { listedAs, readCompleted } from '../stores/response-rows.ts';

export const handler = serve(listQuestionnaireScores)(async ({ caller, query, page, tables }) => {
  const from = { after: page.after?.after || null, skip: Number(page.after?.skip ?? 0) };
  const table = tables.QuestionnaireResponses;
  const asked = { limit: page.limit, after: from.after };
  const { found, next } = await readCompleted(table, caller.userId, query, asked);
  const series = seriesOf(found, { limit: page.limit, from, partOf: (row) => listedAs(row, query.questionnaireId) });
  // A row whose scores did not fit is read again.
  const isCut =
    series.next.skip > 0 || (found.length > 0 && series.next.after !== lastOf(found, query.questionnaireId));
  return {
    items: series.items,
    next: next !== null || isCut ? { after: series.next.after ?? '', skip: String(series.next.skip) } : null,
  };
});

function lastOf(found: readonly Parameters<typeof listedAs>[0][], questionnaireId: string | undefined): string | null {
  const last = found.at(-1);
  return last ? listedAs(last, questionnaireId) : null;
}
