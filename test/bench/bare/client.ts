import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The calls that a function cannot do without, and nothing around them: the floor that the functions are held to. */

export const client = new DynamoDBClient({});

export const application = { S: 'sleepcare' };
export const agreementId = { S: 'marketing' };

type Event = { requestContext: { authorizer: { userId: string } } };

export function userOf({ requestContext }: Event): { S: string } {
  return { S: requestContext.authorizer.userId };
}

export type { Event };
