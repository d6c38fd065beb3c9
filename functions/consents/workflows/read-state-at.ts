import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readAgreement } from '../../agreements/exports.ts';
import { stateAt } from '../rules/state-at.ts';
import { readAccountEnd } from '../stores/account-end.ts';
import { readRecordAt } from '../stores/consent-rows.ts';

type Tables = { ConsentRecords: string; Agreements: string; Erasures: string };
type Asked = { application: string; userId: string; agreementId: string; at: string | undefined; now: Date };

/**
 * Whether a user consented at a time, told from the ledger itself, and from the end of the account.
 *
 * @returns null where the application has no such agreement
 */
export async function readStateAt(client: DynamoDBDocumentClient, tables: Tables, asked: Asked) {
  const { application, userId, agreementId, now } = asked;
  if (!(await readAgreement(client, tables.Agreements, application, agreementId))) return null;
  // What was recorded a moment ago may be ahead of this host's clock: what holds now is the last record, whatever its time.
  const past = asked.at !== undefined && Date.parse(asked.at) < now.getTime() ? new Date(asked.at).toISOString() : null;
  const [record, accountEnd] = await Promise.all([
    readRecordAt(client, tables.ConsentRecords, { userId, agreementId, at: past }),
    readAccountEnd(client, tables.Erasures, userId),
  ]);
  return { userId, agreementId, ...stateAt({ record, accountEnd, past, now }) };
}
