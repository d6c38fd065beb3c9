import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import type { Environment } from '../contract/deployments.ts';
import { type Table, type TableName, tableExistsIn, tables } from '../contract/tables.ts';
import { addExpiryRole, allowExpiry, appendOnly, expiryAttribute } from './ledger.ts';
import { removal } from './removal.ts';
import type { Settings } from './settings.ts';

export type Tables = ReadonlyMap<TableName, CfnTable>;

/** The environment's tables, as `lib/contract/tables.ts` declares them. */
export function addTables(stack: Stack, environment: Environment, keyArn: string, { keepsData }: Settings): Tables {
  const expiry = addExpiryRole(stack);
  const add = (name: string, { partitionKey, sortKey, ledger, stream, expires }: Table) => {
    const keys = sortKey ? [partitionKey, sortKey] : [partitionKey];
    const table = new CfnTable(stack, `${name}Table`, {
      attributeDefinitions: keys.map((attributeName) => ({ attributeName, attributeType: 'S' })),
      keySchema: keys.map((attributeName, i) => ({ attributeName, keyType: i === 0 ? 'HASH' : 'RANGE' })),
      billingMode: 'PAY_PER_REQUEST',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      sseSpecification: { sseEnabled: true, sseType: 'KMS', kmsMasterKeyId: keyArn },
      deletionProtectionEnabled: keepsData,
      ...(stream && { streamSpecification: { streamViewType: 'NEW_AND_OLD_IMAGES' } }),
      ...((ledger || expires) && { timeToLiveSpecification: { attributeName: expiryAttribute, enabled: true } }),
      ...(ledger && {
        resourcePolicy: { policyDocument: appendOnly(expiry.attrArn, keys) },
      }),
    });
    table.applyRemovalPolicy(removal(keepsData));
    if (ledger) allowExpiry(stack, name, { role: expiry, table, keys, keyArn });
    new CfnOutput(stack, `${name}TableName`, { value: table.ref });
    return table;
  };
  const names = (Object.keys(tables) as TableName[]).filter((name) => tableExistsIn(name, environment));
  return new Map(names.map((name) => [name, add(name, tables[name])]));
}
