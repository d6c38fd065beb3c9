import { dynamo } from '../../../lib/runtime/clients.ts';
import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listSessions } from '../routes.ts';
import { sessionIn } from '../rules/token-session.ts';
import { liveSessions } from '../stores/sessions.ts';

export const handler = servePages(
  listSessions,
  lambdaWithClock,
)(async ({ page: { limit, after }, caller, accessToken, tables }) => {
  const current = accessToken && sessionIn(accessToken)?.sessionId;
  const placeOf = ({ createdAt, sessionId }: { createdAt: string; sessionId: string }) => `${createdAt}#${sessionId}`;
  // A user has few: those of 30 days.
  const live = await liveSessions(dynamo(), tables.Sessions, caller.userId);
  const sorted = live.toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
  const rest = after ? sorted.filter((row) => placeOf(row) < String(after.place)) : sorted;
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ sessionId, createdAt, renewedAt, appVersion, device }) => {
      return { sessionId, createdAt, renewedAt, appVersion, device, isCurrent: sessionId === current };
    }),
    next: rest.length > limit && last ? { place: placeOf(last) } : null,
  };
});
