import type { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import type { Stack } from 'aws-cdk-lib/core';
import { acknowledge } from './acknowledgements.ts';
import { useOfKey } from './grants.ts';
import { assumedBy, policy } from './policy.ts';

/**
 * Append-only, enforced by the table itself, whatever else an identity may do (decision 2). The policy names only data
 * actions, so nobody is locked out of administering the table and its policy. The policy cannot see a put's condition: a
 * put in a transaction could replace a record. So the store always sends `attribute_not_exists`.
 */

export const expiryAttribute = 'expiresAt';

/**
 * `Resource` is `*` because a table's policy cannot name the table that it is created with (aws-cdk-lib/aws-dynamodb's
 * README, "Adding Resource Policy Statements Dynamically"). The policy applies to that table all the same.
 *
 * @param expiryRoleArn the role that may set a record's expiry; null if nobody may update records: they are kept for good,
 * or put with their expiry
 */
export function appendOnly(
  { keys, attributes }: { readonly keys: readonly string[]; readonly attributes: readonly string[] },
  expiryRoleArn: string | null,
) {
  const denied = { Effect: 'Deny', Principal: '*', Resource: '*' } as const;
  return policy(
    {
      Sid: 'NoRecordIsDeleted',
      ...denied,
      Action: [
        'dynamodb:DeleteItem',
        'dynamodb:BatchWriteItem',
        'dynamodb:PartiQLInsert',
        'dynamodb:PartiQLUpdate',
        'dynamodb:PartiQLDelete',
      ],
      // TTL deletes as the principal dynamodb.amazonaws.com, a service:
      // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
      Condition: { BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' } },
    },
    {
      Sid: 'NoRecordIsChanged',
      ...denied,
      Action: 'dynamodb:UpdateItem',
      ...(expiryRoleArn && { Condition: { ArnNotEquals: { 'aws:PrincipalArn': expiryRoleArn } } }),
    },
    ...(expiryRoleArn === null
      ? []
      : [
          {
            Sid: 'OnlyItsExpiryIsSet',
            ...denied,
            Action: 'dynamodb:UpdateItem',
            Condition: { 'ForAnyValue:StringNotEquals': { 'dynamodb:Attributes': [...keys, expiryAttribute] } },
          },
        ]),
    {
      // The negation of the documented `ForAnyValue:StringEquals`; it also holds where the key is absent.
      // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
      Sid: 'RecordsArePutInTransactions',
      ...denied,
      Action: 'dynamodb:PutItem',
      Condition: { 'ForAllValues:StringNotEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } },
    },
    {
      // Otherwise a put over a record could add an expiry, and TTL would delete the record. What a row is put with is its
      // watcher's to check: no condition sees a value.
      // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
      Sid: 'OnlyWhatARecordHasIsPut',
      ...denied,
      Action: 'dynamodb:PutItem',
      Condition: { 'ForAnyValue:StringNotEquals': { 'dynamodb:Attributes': attributes } },
    },
  );
}

/** Sets the expiry day of a record in a ledger that expires, and nothing else. */
export function addExpiryRole(stack: Stack): CfnRole {
  return new CfnRole(stack, 'ExpiryRole', {
    description: 'Sets when a record of a ledger expires; the only identity that may',
    assumeRolePolicyDocument: assumedBy('lambda.amazonaws.com'),
  });
}

type Ledger = { role: CfnRole; table: CfnTable; keys: readonly string[]; keyArn: string };

/** A resource of its own: the table's policy names the role, so a policy inside the role would be a circular reference. */
export function allowExpiry(stack: Stack, name: string, { role, table, keys, keyArn }: Ledger): void {
  const allowed = new CfnPolicy(stack, `${name}ExpiryPolicy`, {
    // Inline policies of one role need different names.
    policyName: `${name}Expiry`,
    roles: [role.ref],
    policyDocument: policy(
      {
        Effect: 'Allow',
        Action: 'dynamodb:UpdateItem',
        Resource: table.attrArn,
        Condition: {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...keys, expiryAttribute] },
          // ALL_OLD and ALL_NEW would return the whole record.
          StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
        },
      },
      useOfKey(keyArn, 'write'),
    ),
  });
  acknowledge(allowed, 'policyOfOneRole');
}
