import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { StudyNotFound } from '../errors.ts';
import { readStudy } from '../routes.ts';
import { studyForStaff } from '../rules/shown.ts';
import { readStudy as read } from '../stores/studies.ts';

export const handler = serveWithPrefetch(readStudy)({
  prefetch: ({ params, tables }) => read(tables.Studies, params.studyId),
  respond: async ({ fail }, study) =>
    study ? { etag: etagOf(study.revision), body: studyForStaff(study) } : fail(StudyNotFound),
});
