import { queue } from '../../lib/contract/queues.ts';

/** One message for each step of an export, and one for each participant who left or was erased, and for each correction of an answer or a diary entry. */
export const ResearchExportQueue = queue('ResearchExportQueue', {
  maxReceives: 4,
  isLong: true,
  lossImpact:
    'Researchers who requested the data of a study learn that the export failed; or they do not learn who left or was erased (GDPR Art. 19)',
  delayImpact: 'Researchers wait for the data of a study',
});
