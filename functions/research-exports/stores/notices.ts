import { inPartition, startingWith } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { putRow } from '../../../lib/runtime/rows.ts';
import type { ConcernOccasion } from '../../research/rules.ts';
import {
  type ExportedParticipant,
  isBefore,
  isConcernedBy,
  type Notice,
  noticeOf,
  participantKeyOf,
} from '../rules/notice.ts';
import type { ResearchExportContents, ResearchExportNotices } from '../tables.ts';

/** Tables `ResearchExportContents` and `ResearchExportNotices`. */

type NoticeTables = {
  readonly ResearchExportContents: ResearchExportContents<'query'>;
  readonly ResearchExportNotices: ResearchExportNotices<'putRow'>;
};

type Named = Pick<ExportedParticipant, 'studyId' | 'pseudonym'>;

/**
 * Puts a notice for each export that the participant is in. It can be repeated: the same notice replaces the first one.
 *
 * @param before only exports whose consent record is earlier than the record with this number; null: all exports
 * @returns the number of notices
 */
export async function putNotices(
  tables: NoticeTables,
  participant: Named,
  occasion: ConcernOccasion,
  before: number | null = null,
): Promise<number> {
  let count = 0;
  const contents = queryEach(
    tables.ResearchExportContents,
    inPartition({ participantKey: participantKeyOf(participant) }),
  );
  for await (const content of contents) {
    if (!isBefore(content, before)) continue;
    if (occasion.reason === 'amended' && !isConcernedBy(content, occasion)) continue;
    count += 1;
    await putRow(tables.ResearchExportNotices, noticeOf(content, occasion));
  }
  return count;
}

/** A page of a study's notices, by export. @param exportId only the notices of this export, or null */
export async function listNotices(
  table: ResearchExportNotices<'query'>,
  { studyId, exportId }: { studyId: string; exportId: string | null },
  { limit, after }: { limit: number; after: string | null },
): Promise<{ notices: Notice[]; next: string | null }> {
  const query = inPartition({ studyId }, { noticeKey: startingWith(exportId === null ? '' : `${exportId}#`) }, after);
  const { rows: notices, next } = await queryPage(table, query, limit);
  return { notices, next };
}

/** The pseudonyms of participants who left or were erased since their page was read. */
export async function* readWithdrawn(
  table: ResearchExportNotices<'query'>,
  { studyId, exportId }: { studyId: string; exportId: string },
): AsyncGenerator<string> {
  const query = {
    KeyConditionExpression: 'studyId = :studyId AND begins_with(noticeKey, :prefix)',
    ExpressionAttributeValues: { ':studyId': studyId },
  };
  // Includes participants who allowed exported data to be kept: this export is not finished yet.
  for (const action of ['delete', 'keep']) {
    const values = { ...query.ExpressionAttributeValues, ':prefix': `${exportId}#${action}#` };
    for await (const { pseudonym } of queryEach(table, { ...query, ExpressionAttributeValues: values })) {
      yield pseudonym;
    }
  }
}

/** Whether recipients have to delete rows of a participant from the files. */
export async function hasToBeDeleted(
  table: ResearchExportNotices<'query'>,
  { studyId, exportId }: { studyId: string; exportId: string },
): Promise<boolean> {
  const query = inPartition({ studyId }, { noticeKey: startingWith(`${exportId}#delete#`) });
  return (await queryPage(table, query, 1)).rows.length > 0;
}
