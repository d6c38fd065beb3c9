import { serve } from '../../../lib/runtime/serve.ts';
import { readPatientTimeline } from '../routes.ts';
import { readTimeline } from '../workflows/read-timeline.ts';

export const handler = serve(readPatientTimeline)(
  async ({ params: { userId }, dataSubject: { sites }, page: { limit, after }, tables }) => {
    const { events, next } = await readTimeline(tables, { userId, sites, limit, from: after ?? {} });
    return { items: events, next };
  },
);
