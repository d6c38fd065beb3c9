import { dynamo } from '../../../lib/runtime/clients.ts';
import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { currentVersions } from '../../questionnaires/exports.ts';
import { localDate } from '../../questionnaires/rules/local-date.ts';
import { listDueBundles } from '../routes.ts';
import { dueBundle } from '../rules/due-bundles.ts';
import { entitlementReader } from '../stores/entitlements.ts';
import { claimOf, readClaims } from '../stores/response-rows.ts';
import { readSchedule } from '../workflows/find-occurrence.ts';

export const handler = servePages(
  listDueBundles,
  lambdaWithClock,
)(async ({ caller, now, page, tables }) => {
  const client = dynamo();
  const { userId } = caller;
  const [{ occurrences, zone }, versions, claims] = await Promise.all([
    readSchedule({ client, tables, userId, now, entitlements: entitlementReader(client, tables, now) }),
    currentVersions(client, tables.Questionnaires),
    readClaims(client, tables.QuestionnaireResponses, userId),
  ]);
  const after = page.after
    ? occurrences.findIndex(({ occurrenceId }) => occurrenceId === page.after?.occurrenceId)
    : -1;
  const shown = occurrences.slice(after + 1, after + 1 + page.limit);
  const today = localDate(now, zone);
  const items = shown.map((each) =>
    dueBundle(each, versions, (questionnaireId) => claimOf(claims, each.occurrenceId, questionnaireId), today),
  );
  const last = shown.at(-1);
  const hasMore = after + 1 + shown.length < occurrences.length;
  return { items, next: hasMore && last ? { occurrenceId: last.occurrenceId } : null };
});

await initialize(listDueBundles);
