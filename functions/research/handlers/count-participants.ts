import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { StudyNotFound } from '../errors.ts';
import { countParticipants } from '../routes.ts';
import { shownCount } from '../rules/study.ts';
import { countParticipants as count, readStudy } from '../stores/studies.ts';

export const handler = serveWithPrefetch(countParticipants)({
  prefetch: ({ params: { studyId }, tables }) =>
    Promise.all([readStudy(tables.Studies, studyId), count(tables.Studies, studyId)]),
  respond: async ({ params, fail }, [study, participants]) =>
    study ? { ...params, ...shownCount(participants) } : fail(StudyNotFound),
});
