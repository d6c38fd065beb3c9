import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { StudyNotFound } from '../errors.ts';
import { countParticipants } from '../routes.ts';
import { shownCount } from '../rules/study.ts';
import { countParticipants as count, readStudy } from '../stores/studies.ts';

export const handler = serveInSteps(countParticipants)({
  read: ({ params: { studyId }, tables }) =>
    Promise.all([readStudy(tables.Studies, studyId), count(tables.Studies, studyId)]),
  answer: async ({ params, fail }, [study, participants]) =>
    study ? { ...params, ...shownCount(participants) } : fail(StudyNotFound),
});
