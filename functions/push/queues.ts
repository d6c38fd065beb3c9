import { queue } from '../../lib/contract/queues.ts';

/** One message for each push and device. */
export const PushQueue = queue('PushQueue', {
  maxReceives: 5,
  lossImpact: 'Pushes to some devices were given up; their users see new messages only when they open the app',
  delayImpact: 'Pushes arrive minutes late',
});
