import { serve } from '../../../lib/runtime/serve.ts';
import { currentVersions } from '../../questionnaires/exports.ts';
import { momentIn } from '../../questionnaires/rules.ts';
import { listDueBundles } from '../routes.ts';
import { dueBundle, occurrencesAfter } from '../rules/due-bundles.ts';
import { entitlementReader } from '../stores/entitlements.ts';
import { claimOf, readClaims } from '../stores/response-rows.ts';
import { readSchedule } from '../workflows/find-occurrence.ts';

export const handler = serve(listDueBundles)(async ({ caller, now, page, tables }) => {
  const { userId } = caller;
  const [{ occurrences, zone }, versions, claims] = await Promise.all([
    readSchedule({ tables, userId, now, entitlements: entitlementReader(tables, now) }),
    currentVersions(tables.Questionnaires),
    readClaims(tables.QuestionnaireResponses, userId),
  ]);
  const { shown, next } = occurrencesAfter(occurrences, page);
  const moment = momentIn(zone, now);
  const items = shown.map((each) =>
    dueBundle(each, versions, (questionnaireId) => claimOf(claims, each.occurrenceId, questionnaireId), moment),
  );
  return { items, next };
});
