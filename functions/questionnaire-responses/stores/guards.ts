import type { Accounts } from '../../../lib/contract/accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { ifAbsent } from '../../../lib/runtime/conditions.ts';
import type { Objects } from '../../../lib/runtime/objects.ts';
import { put } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import type { RowChange } from '../../consent-events/rules.ts';
import { begunAtOf } from '../../erasure/exports.ts';
import type { Questionnaires } from '../../questionnaires/tables.ts';
import { isId } from '../rules/flag-image.ts';
import type { FlagDecisions, QuestionnaireEvidence, QuestionnaireFlags, QuestionnaireResponses } from '../tables.ts';

/** What those use who guard flags and completed answers. */

export type Guards = {
  readonly tables: {
    readonly QuestionnaireFlags: QuestionnaireFlags<'get' | 'put' | 'check'>;
    readonly QuestionnaireResponses: QuestionnaireResponses<'get'>;
    readonly Questionnaires: Questionnaires<'get'>;
    readonly FlagDecisions: FlagDecisions<'get'>;
    readonly QuestionnaireEvidence: QuestionnaireEvidence<'put'>;
    readonly Accounts: Handle<typeof Accounts, 'check'>;
  };
  /** The bucket of evidence. */
  readonly evidence: Objects;
  /** Between a request for erasure and its begin, at least. */
  readonly graceMs: number;
  readonly now: () => Date;
};

/** Whether an erasure of the user has begun by the rules: it removes rows, and the erasing function says so before the first. */
export async function isErasureBegun({ evidence, graceMs }: Guards, userId: string): Promise<boolean> {
  return isId(userId) && (await begunAtOf(evidence, userId, graceMs)) !== null;
}

/** A row has at most 400 KB. What our functions write is shorter. */
const mostBytes = 180_000;

type Change = RowChange & { readonly eventId: string; readonly table: string; readonly suspicion: string };

/** The rows as they were, until the erasure of the user: they say something about health, so no bucket keeps them for years. */
export async function layEvidence({ tables, now }: Guards, userId: string, change: Change): Promise<void> {
  const { eventId, table, suspicion, OldImage = null, NewImage = null } = change;
  const [before = null, after = null] = [OldImage, NewImage].map(
    (image) => image && Buffer.from(JSON.stringify(image)).subarray(0, mostBytes).toString(),
  );
  const at = now().toISOString();
  const row = { userId, change: `${table}#${eventId}`, at, table, suspicion, before, after };
  // A batch that comes again has laid it already.
  const isNew = ifAbsent('userId');
  await commit([put(tables.QuestionnaireEvidence, row, isNew)]);
}
