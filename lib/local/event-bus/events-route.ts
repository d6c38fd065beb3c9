import type { ServerResponse } from 'node:http';
import { sendItems } from '../page/answers.ts';
import type { PutEvent } from './put-events.ts';

/**
 * `GET /_local/bus-events?detailType=`: the events that other services would get, oldest first. (`/_local/events` is
 * the page's.)
 */
export function sendBusEvents(response: ServerResponse, events: readonly PutEvent[], query: URLSearchParams): void {
  const detailType = query.get('detailType');
  sendItems(
    response,
    events.filter(({ event }) => !detailType || event['detail-type'] === detailType),
  );
}
