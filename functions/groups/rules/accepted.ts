import type { DynamoDBRecord } from 'aws-lambda';
import type { Broadcast } from './broadcast.ts';

/** The broadcasts that these changes of `GroupMessages` accepted. Rows are put once, and go by themselves a year later. */
export function acceptedIn(
  records: readonly Pick<DynamoDBRecord, 'eventName' | 'dynamodb'>[],
): Pick<Broadcast, 'groupId' | 'broadcastId'>[] {
  return records.flatMap(({ eventName, dynamodb }) => {
    const { groupId, broadcastId } = dynamodb?.Keys ?? {};
    if (eventName !== 'INSERT' || !groupId?.S || !broadcastId?.S) return [];
    return [{ groupId: groupId.S, broadcastId: broadcastId.S }];
  });
}
