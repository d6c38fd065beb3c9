import type { ExportReader } from '../../../lib/runtime/exporter.ts';
import { readFlagsOfUser } from './flag-rows.ts';

const pageFlags = 25;

/**
 * A person's flags, and when each was acknowledged. The id of the person who acknowledged it is another person's data.
 */
export const readAllFlags: ExportReader<'QuestionnaireFlags'> = async ({ dynamo, tables }, { userId }, position) => {
  const after = position === null ? null : String(position.flagId);
  const page = { limit: pageFlags, after };
  const { found, next } = await readFlagsOfUser(dynamo, tables.QuestionnaireFlags, userId, page);
  return {
    rows: found.map(
      ({ flagId, code, responseId, questionnaireId, raisedAt, recordedAt, receivedAt, acknowledgedAt }) => ({
        ...{ flagId, code, responseId, questionnaireId, raisedAt, recordedAt, receivedAt, acknowledgedAt },
      }),
    ),
    next: next === null ? null : { flagId: next },
  };
};
