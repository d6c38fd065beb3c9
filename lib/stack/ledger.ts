import type { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import type { Stack } from 'aws-cdk-lib/core';
import { acknowledge } from './acknowledgements.ts';
import { useOfKey } from './grants.ts';
import { assumedBy, policy } from './policy.ts';

/**
 * Append-only, enforced by the table itself, whatever an identity may do elsewhere (decision 2). The policy names
 * only data actions, so that nobody is locked out of administering the table, including its policy. What it cannot see is
 * a put's condition: a put in a transaction could replace a record, so the store always sends `attribute_not_exists`.
 */

export const expiryAttribute = 'expiresAt';

/**
 * `Resource` is `*` because a table's policy cannot name the table that it is created with (aws-cdk-lib/aws-dynamodb's
 * README, "Adding Resource Policy Statements Dynamically"); it applies to that table all the same.
 *
 * @param expiryRoleArn the role that may set a record's expiry; null if records are kept for good, so that nobody may update any
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
      // Whoever puts over a record could else put it with an expiry, and have TTL destroy it.
      // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
      Sid: 'OnlyWhatARecordHasIsPut',
      ...denied,
      Action: 'dynamodb:PutItem',
      Condition: { 'ForAnyValue:StringNotEquals': { 'dynamodb:Attributes': attributes } },
    },
  );
}

/** Sets the day on which a record of a ledger that expires may go, and nothing else. */
export function addExpiryRole(stack: Stack): CfnRole {
  return new CfnRole(stack, 'ExpiryRole', {
    description: 'Sets when a record of a ledger expires; the only identity that may',
    assumeRolePolicyDocument: assumedBy('lambda.amazonaws.com'),
  });
}

type Ledger = { role: CfnRole; table: CfnTable; keys: readonly string[]; keyArn: string };

/** A resource of its own: inside the role, which the table's policy names, it would be a circle. */
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
          // ALL_OLD and ALL_NEW would read the whole record.
          StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
        },
      },
      useOfKey(keyArn, 'write'),
    ),
  });
  acknowledge(allowed, 'policyOfOneRole');
}
