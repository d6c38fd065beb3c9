import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import type { CfnRole } from 'aws-cdk-lib/aws-iam';
import { Aws, CfnOutput, Fn, type Stack } from 'aws-cdk-lib/core';
import { tableNamed, tables } from '../../functions/domains.ts';
import type { Environment } from '../contract/deployments.ts';
import { type Table, tableExistsIn } from '../contract/tables.ts';
import { acknowledge } from './acknowledgements.ts';
import { allowExpiry, appendOnly, expiryAttribute } from './ledger.ts';
import { arn } from './policy.ts';
import { removal } from './removal.ts';
import type { Settings } from './settings.ts';

/** By name. */
export type Tables = ReadonlyMap<string, CfnTable>;

/** A table as the other stacks know it. */
export type DeployedTable = { readonly name: string; readonly arn: string };

/**
 * By the one output that the commands read as well: with a reference for the name and another for the ARN each table would
 * cost three of the 200 outputs that a stack may have.
 *
 * @param stack that of the table, which has to be deployed before the stack that asks
 */
export function deployedTable(stack: Stack, { name }: Pick<Table, 'name'>): DeployedTable {
  const tableName = Fn.getStackOutput(stack.stackName, outputOf(name), Aws.REGION);
  return { name: tableName, arn: arn('dynamodb', `table/${tableName}`) };
}

function outputOf(name: string): string {
  return `${name}TableName`;
}

type TableProps = { readonly keyArn: string; readonly settings: Settings; readonly expiry: CfnRole };

/** The environment's tables, as the domains declare them. */
export function addTables(stack: Stack, environment: Environment, { keyArn, settings, expiry }: TableProps): Tables {
  const { keepsData } = settings;
  const make = (id: string, { ledger, stream, expires, ...declared }: Table) => {
    const keys = keysOf(declared);
    const table = new CfnTable(stack, `${id}Table`, {
      attributeDefinitions: keys.map((attributeName) => ({ attributeName, attributeType: 'S' })),
      keySchema: keys.map((attributeName, i) => ({ attributeName, keyType: i === 0 ? 'HASH' : 'RANGE' })),
      billingMode: 'PAY_PER_REQUEST',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      sseSpecification: { sseEnabled: true, sseType: 'KMS', kmsMasterKeyId: keyArn },
      deletionProtectionEnabled: keepsData,
      ...(stream && { streamSpecification: { streamViewType: 'NEW_AND_OLD_IMAGES' } }),
      ...(expires && { timeToLiveSpecification: { attributeName: expiryAttribute, enabled: true } }),
      ...(ledger && {
        resourcePolicy: { policyDocument: appendOnly({ keys, ...ledger }, expires ? expiry.attrArn : null) },
      }),
    });
    table.applyRemovalPolicy(removal(keepsData));
    if (!settings.backups) acknowledge(table, 'thrownAway');
    return table;
  };
  const add = (declared: Table) => {
    const { name } = declared;
    const { as = '', isUsed = false } = settings.restoredTables[name] ?? {};
    // An import allows no other change: so the restored table first stands beside the one in use, and nothing refers to it.
    const restored = as && make(`${name}${as}`, declared);
    const table = isUsed && restored ? restored : make(name, declared);
    if (declared.ledger && declared.expires)
      allowExpiry(stack, name, { role: expiry, table, keys: keysOf(declared), keyArn });
    new CfnOutput(stack, outputOf(name), { value: table.ref });
    return table;
  };
  for (const name of Object.keys(settings.restoredTables)) tableNamed(name);
  const here = tables.filter((declared) => tableExistsIn(declared, environment));
  return new Map(here.map((declared) => [declared.name, add(declared)]));
}

function keysOf({ partitionKey, sortKey }: Table): string[] {
  return sortKey ? [partitionKey, sortKey] : [partitionKey];
}
