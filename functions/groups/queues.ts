import { queue } from '../../lib/contract/queues.ts';

/** One message for each hundred members of a broadcast, and one for each thousand who are still to be listed. */
export const GroupMessageQueue = queue('GroupMessageQueue', {
  maxReceives: 5,
  lossImpact: 'Some members of a group did not get a message that staff sent to all of them',
  delayImpact: 'Messages to groups arrive late',
});
