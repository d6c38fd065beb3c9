import { randomInt } from 'node:crypto';
import type { Accounts } from '../../../lib/contract/accounts.ts';
import { guardCount, guardKey } from '../../../lib/contract/accounts.ts';
import { transact, unlessConflict } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { isContention, isRefusedAt } from '../../../lib/runtime/failure.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { check, put } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import type { ConsentStates } from '../../access/consent-states.ts';
import { designOf, exportKeyOf, type Page, pageName, type ResearchExport } from '../rules/export.ts';
import { type ExportedParticipant, participantKeyOf } from '../rules/notice.ts';
import type { ResearchExportContents, ResearchExportPages, ResearchExports } from '../tables.ts';
import { isThere, stepOf } from './export-rows.ts';

/** Tables `ResearchExportPages` and `ResearchExportContents`: the rows that each page of an export writes. */

export type Committed = {
  readonly userId: string;
  readonly consent: string;
  readonly consentVersionId: string;
  /** The number of the latest record in the chain. */
  readonly sequence: number;
  readonly pseudonym: string;
};

export type ExportPageTables = {
  readonly ResearchExports: ResearchExports<'get' | 'put' | 'putRow'>;
  readonly ResearchExportPages: ResearchExportPages<'query' | 'put'>;
  readonly ResearchExportContents: ResearchExportContents<'query' | 'put'>;
  readonly ConsentStates: ConsentStates<'check'>;
  readonly Accounts: Handle<typeof Accounts, 'get' | 'check'>;
};

/** Longer than any export takes. */
const keptSeconds = 7 * 86_400;

/**
 * Writes a page and the step to the next page in one transaction. Its conditions: no other function made the step, each
 * participant's latest consent record is still the one that was read, and each account is open. So if a revocation was answered
 * before, the participant is not in the page.
 *
 * @param participants at most ten
 * @param readAt when the reading of the page began
 * @returns `overtaken`: another function made the step; `changed`: the page must be read again
 */
export async function commitPage(
  tables: ExportPageTables,
  step: { readonly before: ResearchExport; readonly after: ResearchExport },
  { page, participants, readAt }: { page: Page; participants: readonly Committed[]; readAt: Date },
): Promise<'committed' | 'overtaken' | 'changed'> {
  const { before, after } = step;
  const { agreementId } = designOf(before);
  const expiresAt = Math.ceil(readAt.getTime() / 1000) + keptSeconds;
  const pageItem = { exportKey: exportKeyOf(before), page: pageName(before.pages), ...page, expiresAt };
  const each = participants.flatMap((participant) => [
    put(tables.ResearchExportContents, contentOf(before, participant, readAt)),
    stillConsents(tables.ConsentStates, agreementId, participant),
    isOpen(tables.Accounts, participant.userId),
  ]);
  const items = [
    put(tables.ResearchExports, ...stepOf(before, after)),
    put(tables.ResearchExportPages, pageItem),
    ...each,
  ];
  const committed = transact(items).then(() => 'committed' as const);
  return unlessConflict(committed, isContention, async (error) => {
    if (await isThere(tables.ResearchExports, after)) return 'committed';
    return isRefusedAt(error, 0) ? 'overtaken' : 'changed';
  });
}

function contentOf(row: ResearchExport, participant: Committed, readAt: Date): ExportedParticipant {
  const { studyId, exportId } = row;
  const { dataClasses } = designOf(row);
  const { pseudonym, consent, consentVersionId, sequence: consentSequence } = participant;
  return {
    participantKey: participantKeyOf({ studyId, pseudonym }),
    studyId,
    exportId,
    pseudonym,
    consent,
    consentVersionId,
    consentSequence,
    hasAnswers: dataClasses.includes('questionnaires'),
    hasDiary: dataClasses.includes('diary'),
    readAt: readAt.toISOString(),
  };
}

function stillConsents(table: ConsentStates<'check'>, agreementId: string, { userId, sequence }: Committed) {
  return check(table, { userId, agreementId }, ifUnchanged({ sequence }));
}

/** The same condition as in `lib/runtime/accounts.ts`, here for each participant. */
function isOpen(table: Handle<typeof Accounts, 'check'>, userId: string) {
  const key = guardKey(userId, randomInt(guardCount));
  return check(table, key, ifAbsent('userId'));
}

/** In their order. */
export async function readPages(
  table: ResearchExportPages<'query'>,
  named: Pick<ResearchExport, 'studyId' | 'exportId'>,
): Promise<Page[]> {
  return queryAll(table, inPartition({ exportKey: exportKeyOf(named) }));
}
