import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { readPatientTimeline } from '../routes.ts';
import type { Position } from '../rules/timeline.ts';
import { readTimeline } from '../workflows/read-timeline.ts';

export const handler = servePages(
  readPatientTimeline,
  lambdaWithAccess,
)(async ({ params: { userId }, dataSubject: { sites }, page: { limit, after }, tables }) => {
  const from = (after ?? {}) as Position;
  const { events, next } = await readTimeline(tables, { userId, sites, limit, from });
  return { items: events, next };
});
