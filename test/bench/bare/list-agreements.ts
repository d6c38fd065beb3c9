import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { application, client, type Event, userOf } from './client.ts';

let catalogue: { until: number; value: Promise<QueryCommandOutput> } | undefined;

function readCatalogue() {
  return client.send(
    new QueryCommand({
      TableName: 'Agreements',
      KeyConditionExpression: 'application = :application',
      ExpressionAttributeValues: { ':application': application },
      ConsistentRead: true,
    }),
  );
}

/** The catalogue is kept as long as the function keeps it. */
export async function handler(event: Event) {
  const now = performance.now();
  if (!catalogue || catalogue.until < now) catalogue = { until: now + 5000, value: readCatalogue() };
  const [agreements, states] = await Promise.all([
    catalogue.value,
    client.send(
      new QueryCommand({
        TableName: 'ConsentStates',
        KeyConditionExpression: 'userId = :userId',
        ExpressionAttributeValues: { ':userId': userOf(event) },
        ConsistentRead: true,
      }),
    ),
  ]);
  return { statusCode: 200, body: JSON.stringify({ agreements: agreements.Items, states: states.Items }) };
}
