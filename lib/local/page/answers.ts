import type { ServerResponse } from 'node:http';

/** Answers below `/_local/`. Nobody keeps them: what they show changes all the time. */

export function sendText(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' }).end(text);
}

/** @param indent for answers that people read */
export function sendJson(response: ServerResponse, value: unknown, status = 200, indent?: number): void {
  sendText(response, status, JSON.stringify(value, null, indent), 'application/json');
}

export function sendItems(response: ServerResponse, items: readonly unknown[], status = 200): void {
  sendJson(response, { items, metadata: { count: items.length } }, status, 2);
}
