import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { StaffAccounts } from '../contract/staff-accounts.ts';
import { tableVariable } from '../contract/tables.ts';
import { type Authorizer, type AuthorizerOptions, authorizer } from './authorizer.ts';
import { dynamo } from './clients.ts';
import type { InitOptions } from './initialize.ts';
import type { Runtime } from './runtime.ts';
import { staffRolesOf } from './staff-standing.ts';

// Not the hasty limits: nothing stands in for this row, so a slow connection would refuse the request.
const documents = () => dynamo();

/**
 * The authorizer of an application for staff. It differs from the other one in one point: the roles come from the member's row, read strongly
 * consistently. API Gateway keeps the answer for a minute. So a removed role ends within a minute, also for tokens that
 * were issued before.
 */
export function staffAuthorizer(
  runtime: Runtime,
  options: AuthorizerOptions & { readonly client?: () => Pick<DynamoDBDocumentClient, 'send'> },
): Authorizer {
  const { client = documents, ...more } = options;
  const TableName = runtime.variables[tableVariable(StaffAccounts)];
  return authorizer(runtime, {
    ...more,
    rolesOf: (claims) => staffRolesOf(client(), TableName, claims),
  });
}

/** What the function reads while Lambda initializes it. */
export const atInit: InitOptions = { client: documents };
