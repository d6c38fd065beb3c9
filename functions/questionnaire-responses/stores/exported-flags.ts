import type { ExportReader } from '../../../lib/runtime/exporter.ts';
import type { QuestionnaireFlags } from '../tables.ts';
import { readFlagsOfUser } from './flag-rows.ts';

const pageFlags = 25;

/**
 * A person's flags, and when each was acknowledged and how it ended. The ids of the people who did so are
 * other people's data.
 */
export const readAllFlags: ExportReader<{
  readonly QuestionnaireFlags: QuestionnaireFlags<'get' | 'query'>;
}> = async ({ tables }, { userId }, position) => {
  const after = position === null ? null : String(position.flagId);
  const page = { limit: pageFlags, after };
  const { found, next } = await readFlagsOfUser(tables.QuestionnaireFlags, userId, page);
  return {
    rows: found.map(({ acknowledgedBy: _acknowledged, endedBy: _ended, userId: _user, ...flag }) => ({ ...flag })),
    next: next === null ? null : { flagId: next },
  };
};
