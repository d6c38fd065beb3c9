import { isDeepStrictEqual } from 'node:util';
import { isTime } from '../../../lib/contract/instant.ts';
import { isId } from '../rules/flag-image.ts';
import type { Completed } from '../tables.ts';
import type { Guards } from './guards.ts';
import { partsOf, readResponse } from './response-rows.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Whether the rows that a completed response's row speaks of say the same: its own row has these answers, and a correction that it
 * names corrects what it named before. Each of them is there for good, so the order of the changes does not matter.
 *
 * @param before the row before the change; null: there was none
 */
export async function isConfirmed({ tables }: Guards, before: Row | null, after: Row): Promise<boolean> {
  const { userId, part, ...row } = after as Partial<Completed> & { userId?: unknown; part?: unknown };
  const read = async (responseId: unknown): Promise<Completed | null> => {
    if (!isId(userId) || !isId(responseId)) return null;
    const found = await readResponse(tables.QuestionnaireResponses, { userId, responseId });
    return found?.status === 'completed' ? found : null;
  };
  const found = await read(row.responseId);
  // Its own row that was removed says itself what it had.
  const isOwn = isId(row.responseId) && part === `response#${row.responseId}` && row.status === 'completed';
  const own = found ?? (isOwn ? (row as Completed) : null);
  if (
    !own ||
    !isTime(own.completedAt) ||
    !isId(own.questionnaireId) ||
    !isDeepStrictEqual(answersOf(row), answersOf(own)) ||
    !partsOf(own).includes(String(part))
  )
    return false;
  const { amendedBy = null, corrected } = row;
  if (amendedBy !== null && (await read(amendedBy))?.amends !== own.responseId) return false;
  if (corrected === undefined) return true;
  const last = await read(idIn(corrected));
  if (last?.rootId !== own.responseId || !isDeepStrictEqual(last.scores, corrected.scores)) return false;
  // A correction follows the one that was named: nobody goes back to an earlier one.
  return before === null || last.amends === (idIn(before.corrected) ?? own.responseId);
}

function idIn(corrected: unknown): unknown {
  return (corrected as { readonly responseId?: unknown } | null | undefined)?.responseId;
}

/** All but its key, and what a correction writes. */
function answersOf(row: Row) {
  const { userId: _user, part: _part, amendedBy: _by, corrected: _corrected, revision: _revision, ...answers } = row;
  return answers;
}
