import { serve } from '../../../lib/runtime/serve.ts';
import { deployments } from '../../product.ts';
import { listSessions } from '../routes.ts';
import { isOver, renewedOn } from '../rules/lifetime.ts';
import { liveSessions } from '../stores/sessions.ts';

export const handler = serve(listSessions)(async ({ page: { limit, after }, caller, application, tables }) => {
  const placeOf = ({ createdAt, sessionId }: { createdAt: string; sessionId: string }) => `${createdAt}#${sessionId}`;
  const now = new Date();
  const live = await liveSessions(tables.Sessions, caller.userId, now);
  const { sessions: lifetime } = deployments[application];
  const sorted = live
    .filter((row) => !isOver(row, lifetime, now))
    .toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
  const rest = after ? sorted.filter((row) => placeOf(row) < after) : sorted;
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map((row) => {
      const { sessionId, createdAt, appVersion, device } = row;
      const isCurrent = sessionId === caller.sessionId;
      return { sessionId, createdAt, renewedAt: renewedOn(row), appVersion, device, isCurrent };
    }),
    next: rest.length > limit && last ? placeOf(last) : null,
  };
});
