import { GetItemCommand, type GetItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { application, client } from './client.ts';

let policy: { until: number; value: Promise<GetItemCommandOutput> } | undefined;

function readPolicy() {
  return client.send(
    new GetItemCommand({ TableName: 'AppVersionPolicies', Key: { application, platform: { S: 'ios' } } }),
  );
}

/** The policy is kept as long as the function keeps it. */
export async function handler() {
  const now = performance.now();
  if (!policy || policy.until < now) policy = { until: now + 5000, value: readPolicy() };
  return { statusCode: 200, body: JSON.stringify((await policy.value).Item) };
}
