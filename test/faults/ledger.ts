import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { checkChain } from '../../functions/ledger/rules/chain-check.ts';
import type { Finding, StoredRecord } from '../../functions/ledger/rules/finding.ts';
import { checkPointer } from '../../functions/ledger/rules/pointer-check.ts';
import { partition } from '../partition.ts';
import type { Stage } from './stage.ts';

/** What a user's ledger of `marketing` says, by the rules of the nightly verification and by what the user was told. */

export type Told = { readonly findings: readonly Finding[]; readonly records: readonly StoredRecord[] };

export async function ledgerOf({ data, stage }: Stage, userId: string): Promise<Told> {
  const userAgreement = `${userId}#marketing`;
  const records = await partition(data, stage.data.tables('ConsentRecords'), { userAgreement });
  const { Item: pointer = null } = await data.send(
    new GetCommand({
      TableName: stage.data.tables('ConsentStates'),
      Key: { userId, agreementId: 'marketing' },
      ConsistentRead: true,
    }),
  );
  const findings = [...checkChain(userAgreement, records), ...checkPointer(userAgreement, records, pointer)];
  return { findings, records };
}
