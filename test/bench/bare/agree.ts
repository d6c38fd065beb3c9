import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { change, readAgreement } from './change.ts';
import { client, type Event, userOf } from './client.ts';

export async function handler(event: Event) {
  await client.send(
    new GetItemCommand({
      TableName: 'Agreements',
      Key: { application: { S: '*' }, catalogueKey: { S: 'version#marketing-1.0' } },
      ConsistentRead: true,
    }),
  );
  await readAgreement();
  return { statusCode: 200, body: JSON.stringify({ agreedAt: await change(userOf(event), 'agreed') }) };
}
