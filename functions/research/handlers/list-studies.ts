import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { listStudies } from '../routes.ts';
import { studyForStaff } from '../rules/shown.ts';
import { readStudies } from '../stores/studies.ts';

export const handler = serveWithPrefetch(listStudies)({
  prefetch: ({ page, tables }) => readStudies(tables.Studies, page),
  respond: async (_asked, { studies, next }) => ({
    items: studies.map(studyForStaff),
    next,
  }),
});
