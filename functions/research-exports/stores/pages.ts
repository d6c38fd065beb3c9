import { randomInt } from 'node:crypto';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { guardCount, guardKey } from '../../../lib/contract/accounts.ts';
import { isContention } from '../../../lib/runtime/failure.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { exportKeyOf, pageName, type ResearchExport } from '../rules/export.ts';
import { type Content, participantKeyOf } from '../rules/notice.ts';
import { isThere, putStep } from './export-rows.ts';

/** Tables `ResearchExportPages` and `ResearchExportContents`: what a step from one page to the next leaves. */

export type PageRow = {
  /** Names the objects of the page: the revision of the export that they were put at. */
  readonly putAt: number;
  readonly participants: number;
  /** `phq-9/1.0`: those that are answered in it. */
  readonly definitions: readonly string[];
};

export type Committed = {
  readonly userId: string;
  readonly consent: string;
  readonly consentVersionId: string;
  /** The number of the latest record in the chain. */
  readonly sequence: number;
  readonly pseudonym: string;
};

export type Tables = {
  readonly ResearchExports: string;
  readonly ResearchExportPages: string;
  readonly ResearchExportContents: string;
  readonly ConsentStates: string;
  readonly Accounts: string;
};

/** Longer than an export is under way. */
const keptSeconds = 7 * 86_400;

/**
 * A page and the step to the next one, all or nothing: on the condition that no other function made the step, that each
 * participant's latest consent record is still the one that was read, and that each account is open. So nobody is in a page whose
 * revocation was answered before.
 *
 * @param participants at most ten
 * @param readAt when the reading of the page began
 * @returns `overtaken`: another function is at it; `changed`: the page is to be read anew
 */
export async function commitPage(
  client: DynamoDBDocumentClient,
  tables: Tables,
  step: { readonly before: ResearchExport; readonly after: ResearchExport },
  { page, participants, readAt }: { page: PageRow; participants: readonly Committed[]; readAt: Date },
): Promise<'committed' | 'overtaken' | 'changed'> {
  const { before, after } = step;
  const { agreementId } = before.design;
  const expiresAt = Math.ceil(readAt.getTime() / 1000) + keptSeconds;
  const pageItem = { exportKey: exportKeyOf(before), page: pageName(before.pages), ...page, expiresAt };
  const each = participants.flatMap((participant) => [
    { Put: { TableName: tables.ResearchExportContents, Item: contentOf(before, participant, readAt) } },
    { ConditionCheck: stillConsents(tables.ConsentStates, agreementId, participant) },
    { ConditionCheck: isOpen(tables.Accounts, participant.userId) },
  ]);
  const TransactItems = [
    { Put: putStep(tables.ResearchExports, before, after) },
    { Put: { TableName: tables.ResearchExportPages, Item: pageItem } },
    ...each,
  ];
  try {
    await client.send(new TransactWriteCommand({ TransactItems }));
    return 'committed';
  } catch (error) {
    if (!isContention(error)) throw error;
    if (await isThere(client, tables.ResearchExports, after)) return 'committed';
    const { CancellationReasons: [first] = [] } = error as { CancellationReasons?: { Code?: string }[] };
    return first?.Code === 'ConditionalCheckFailed' ? 'overtaken' : 'changed';
  }
}

function contentOf({ studyId, exportId, design }: ResearchExport, participant: Committed, readAt: Date): Content {
  const { pseudonym, consent, consentVersionId, sequence: consentSequence } = participant;
  return {
    participantKey: participantKeyOf({ studyId, pseudonym }),
    studyId,
    exportId,
    pseudonym,
    consent,
    consentVersionId,
    consentSequence,
    hasAnswers: design.dataClasses.includes('questionnaires'),
    hasDiary: design.dataClasses.includes('diary'),
    readAt: readAt.toISOString(),
  };
}

function stillConsents(TableName: string, agreementId: string, { userId, sequence }: Committed) {
  return {
    TableName,
    Key: { userId, agreementId },
    ConditionExpression: '#sequence = :read',
    ExpressionAttributeNames: { '#sequence': 'sequence' },
    ExpressionAttributeValues: { ':read': sequence },
  };
}

/** As `lib/runtime/accounts.ts` asks it of one account: here of each. */
function isOpen(TableName: string, userId: string) {
  const Key = guardKey(userId, randomInt(guardCount));
  return { TableName, Key, ConditionExpression: 'attribute_not_exists(userId)' };
}

/** In their order. */
export async function readPages(
  client: DynamoDBDocumentClient,
  table: string,
  named: Pick<ResearchExport, 'studyId' | 'exportId'>,
): Promise<PageRow[]> {
  return queryAll<PageRow>(client, {
    TableName: table,
    KeyConditionExpression: 'exportKey = :exportKey',
    ExpressionAttributeValues: { ':exportKey': exportKeyOf(named) },
  });
}
