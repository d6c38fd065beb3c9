import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { guardsIn } from '../../questionnaire-responses/exports.ts';
import { compareAllFlags } from '../consumers.ts';
import { answersDiffer } from '../metrics.ts';
import { compare } from '../workflows/comparison.ts';
import { dependenciesOf } from '../workflows/open-urgent-ticket.ts';
import { tellOfComparison } from '../workflows/tell-of-comparison.ts';

export const handler = runOnSchedule(compareAllFlags)(async (bindings) => {
  const { tables, businessNow: now, remainingMs, log } = bindings;
  const { guards, operators } = guardsIn(bindings);
  const deps = dependenciesOf(tables, log, now);
  const compared = await compare({ guards, deps, now, remainingMs, answers: tables.QuestionnaireResponses });
  return tellOfComparison({ operators, log }, answersDiffer, compared);
});
