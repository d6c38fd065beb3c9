import { queue } from '../../lib/contract/queues.ts';

/** One message for each export that is to be made, and one for each time that making it goes on. */
export const PersonalExportQueue = queue('PersonalExportQueue', {
  maxReceives: 4,
  isLong: true,
  lossImpact: 'People that requested their data see that the export failed; the law gives us a month to answer them',
  delayImpact: 'People wait for the export of their data',
});
