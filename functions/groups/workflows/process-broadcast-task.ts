import { describeError } from '../../../lib/runtime/log.ts';
import { isOver, isPlanted } from '../rules/broadcast.ts';
import type { Task } from '../rules/task.ts';
import { readBroadcast } from '../stores/broadcasts.ts';
import type { GroupMessages } from '../tables.ts';
import { type Listing, listRecipients } from './list-recipients.ts';
import { type Posted, type Posting, postPart } from './post-part.ts';

/** One message of the queue, whichever it is. */

export type Work = Listing &
  Posting & { readonly tables: { readonly GroupMessages: GroupMessages<'get'> }; readonly isDated: boolean };

/** The message comes again for those whom it could not be posted to; after the last time an alarm tells. */
class MembersLeft extends Error {
  override readonly name: string;

  constructor(failures: readonly unknown[]) {
    super();
    // With the reasons, since the log has an error's name and not its message.
    const names = new Set(failures.map((error) => describeError(error).name));
    this.name = `MembersLeft (${[...names].join()})`;
  }
}

/**
 * @param count what came of a part, also where it throws for some of its members
 * @throws a MembersLeft, or what the SDK throws, where the message has to come again
 */
export async function processBroadcastTask(task: Task, work: Work, count: (done: Posted) => void): Promise<void> {
  const broadcast = await readBroadcast(work.tables.GroupMessages, task);
  if (!broadcast || isOver(broadcast, work.now()) || isPlanted(broadcast, work.now(), work.isDated)) return;
  if (task.do === 'list') return listRecipients(broadcast, task.from, work);
  const done = await postPart(broadcast, task.part, work);
  count(done);
  // Members who were never tried do not share the tries of those who failed: they get a new message, as often as some are left.
  if (done.failures.length > 0 && done.untried === 0) throw new MembersLeft(done.failures);
  if (done.left > 0) await work.send([task]);
}
