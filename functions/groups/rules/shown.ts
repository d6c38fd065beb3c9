import { type Broadcast, type Progress, statusOf } from './broadcast.ts';

/** A message to a group as staff see it, and how far it is. */
export function shownOf(broadcast: Broadcast, progress: Progress) {
  const { broadcastId, groupId, purpose, title, body, createdAt } = broadcast;
  const { total, posted, failed, skipped } = progress;
  const status = statusOf(progress);
  return { broadcastId, groupId, purpose, title, body, createdAt, status, total, posted, failed, skipped };
}
