import { queue } from '../../lib/contract/queues.ts';

/** One message for each export that is to be made, and one for each time that making it goes on. */
export const ResearchExportQueue = queue('ResearchExportQueue', {
  maxReceives: 4,
  isLong: true,
  lossImpact: 'Researchers who asked for the data of a study are told that the export failed',
  delayImpact: 'Researchers wait for the data of a study',
});

/** One message for each answer that a user corrected, whether the user is in a study or not. */
export const AmendedAnswerQueue = queue('AmendedAnswerQueue', {
  maxReceives: 5,
  lossImpact: 'Researchers do not learn that an answer in their files was corrected (GDPR Art. 19)',
  delayImpact: 'Researchers learn late that an answer in their files was corrected',
});
