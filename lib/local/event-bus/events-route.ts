import type { ServerResponse } from 'node:http';
import type { PutEvent } from './put-events.ts';

/**
 * `GET /_local/bus-events?detailType=`: the events that other services would get, oldest first. (`/_local/events` is
 * the page's.)
 */
export function sendBusEvents(response: ServerResponse, events: readonly PutEvent[], query: URLSearchParams): void {
  const detailType = query.get('detailType');
  const items = events.filter(({ event }) => !detailType || event['detail-type'] === detailType);
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ items, metadata: { count: items.length } }, null, 2));
}
