import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readAgreement } from './catalogue-store.ts';
import { readRecordAt } from './consent-store.ts';

type Tables = { ConsentRecords: string; Agreements: string };
type Asked = { application: string; userId: string; agreementId: string; at: string | undefined; now: Date };

/**
 * Whether a user consented at a time, told from the ledger itself.
 *
 * @returns null where the application has no such agreement
 */
export async function readStateAt(client: DynamoDBDocumentClient, tables: Tables, asked: Asked) {
  const { application, userId, agreementId, now } = asked;
  if (!(await readAgreement(client, tables.Agreements, application, agreementId))) return null;
  // What will be is nobody's record; and a caller's clock may be ahead.
  const wanted = asked.at === undefined ? Number.POSITIVE_INFINITY : Date.parse(asked.at);
  const at = new Date(Math.min(wanted, now.getTime())).toISOString();
  const record = await readRecordAt(client, tables.ConsentRecords, { userId, agreementId, at });
  return { userId, agreementId, at, agreed: record?.action === 'agreed', record };
}
