import type { Broadcast } from './broadcast.ts';

/** What is asked of a change: the stream's own type has it. */
type Change = {
  readonly eventName?: string | undefined;
  readonly dynamodb?:
    | { readonly Keys?: Readonly<Record<string, { readonly S?: string | undefined }>> | undefined }
    | undefined;
};

/** The broadcasts that these changes of `GroupMessages` accepted. Rows are put once, and go by themselves a year later. */
export function acceptedIn(records: readonly Change[]): Pick<Broadcast, 'groupId' | 'broadcastId'>[] {
  return records.flatMap(({ eventName, dynamodb }) => {
    const { groupId, broadcastId } = dynamodb?.Keys ?? {};
    if (eventName !== 'INSERT' || !groupId?.S || !broadcastId?.S) return [];
    return [{ groupId: groupId.S, broadcastId: broadcastId.S }];
  });
}
