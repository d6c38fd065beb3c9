import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  ResearchExportNotFound: {
    when: 'The study has no export with this id. An export of another study gives the same answer.',
    client: 'Read the list of exports again.',
  },
  ResearchExportUnderWay: {
    when: 'An export of the study is pending or running. Only one export of a study is made at a time.',
    client: 'Wait for the export that `detail.exportId` names.',
    example: { exportId: '20261122T071350626Z-4f1c09a2' },
  },
  StudyNotExported: {
    when: 'The study is archived, or it is a draft, which nobody can have joined.',
    client: 'Show the state of the study.',
  },
};
