import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import type { CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { tableNamed } from '../contract/declarations.ts';
import type { Environment } from '../contract/register.ts';
import type { Settings } from '../contract/settings.ts';
import { type Table, tableExistsIn } from '../contract/tables.ts';
import { acknowledge } from './acknowledgements.ts';
import { allowExpiry, appendOnly, expiryAttribute } from './ledger.ts';
import { productOf } from './product-app.ts';
import { removal } from './removal.ts';

/** By name. */
export type TableConstructs = ReadonlyMap<string, CfnTable>;

type TableProps = {
  readonly tables: readonly Table[];
  readonly keyArn: string;
  readonly settings: Settings;
  readonly expiry: CfnRole;
};

/** The environment's tables, as the domains declare them. */
export function addTables(stack: Stack, environment: Environment, props: TableProps): TableConstructs {
  const { tables, keyArn, settings, expiry } = props;
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
        resourcePolicy: {
          policyDocument: appendOnly({ keys, ...ledger }, expiresLater({ ledger, expires }) ? expiry.attrArn : null),
        },
      }),
    });
    table.applyRemovalPolicy(removal(keepsData));
    if (!settings.backups) acknowledge(table, 'thrownAway');
    return table;
  };
  const add = (declared: Table) => {
    const { name } = declared;
    const { as = '', isUsed = false } = settings.restoredTables[name] ?? {};
    // An import allows no other change in the same deploy. So the restored table is first beside the table in use, and
    // nothing refers to it.
    const restored = as && make(`${name}${as}`, declared);
    const table = isUsed && restored ? restored : make(name, declared);
    if (expiresLater(declared)) allowExpiry(stack, name, { role: expiry, table, keys: keysOf(declared), keyArn });
    new CfnOutput(stack, `${name}TableName`, { value: table.ref });
    return table;
  };
  for (const name of Object.keys(settings.restoredTables)) tableNamed(productOf(stack).declarations, name);
  const here = tables.filter((declared) => tableExistsIn(declared, environment));
  return new Map(here.map((declared) => [declared.name, add(declared)]));
}

/** Rows of a ledger that are put without their expiry get it from the expiry role. */
function expiresLater({ ledger, expires }: Pick<Table, 'ledger' | 'expires'>): boolean {
  return expires === true && ledger !== undefined && !ledger.attributes.includes(expiryAttribute);
}

function keysOf({ partitionKey, sortKey }: Table): string[] {
  return sortKey ? [partitionKey, sortKey] : [partitionKey];
}
