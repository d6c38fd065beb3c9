import type { ServerResponse } from 'node:http';

/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */

export type Events = {
  /** Answers with the stream, which starts with the snapshot and continues until the reader leaves. */
  readonly join: (response: ServerResponse) => void;
  readonly send: (name: string, data: unknown) => void;
};

/** A reader with more waiting bytes is disconnected. Its EventSource connects again and gets a new snapshot. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const WATCH_MS = 500;
const BEAT_MS = 15_000;

/**
 * @param snapshot all there is to show
 * @param watched state that reports no changes: checked while there are readers, and sent as `devices` after a change
 */
export function openEvents(snapshot: () => unknown, watched: () => unknown): Events {
  const readers = new Set<ServerResponse>();
  let timers: NodeJS.Timeout[] = [];
  let seen = '';

  const write = (text: string) => {
    for (const reader of readers) {
      if (reader.writableLength > MAX_WAITING_BYTES) reader.destroy();
      else reader.write(text);
    }
  };
  const look = () => {
    const now = JSON.stringify(watched());
    if (now === seen) return;
    seen = now;
    write(event('devices', now));
  };
  const leave = (reader: ServerResponse) => {
    readers.delete(reader);
    if (readers.size > 0) return;
    for (const timer of timers) clearInterval(timer);
    timers = [];
  };

  return {
    join: (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
      response.write(`retry: 1000\n\n${event('snapshot', JSON.stringify(snapshot()))}`);
      response.on('close', () => leave(response));
      readers.add(response);
      if (timers.length > 0) return;
      seen = JSON.stringify(watched());
      timers = [setInterval(look, WATCH_MS).unref(), setInterval(() => write(':\n\n'), BEAT_MS).unref()];
    },
    send: (name, data) => {
      if (readers.size > 0) write(event(name, JSON.stringify(data)));
    },
  };
}

/** JSON here has no line breaks outside of strings, and escapes line breaks inside them. */
function event(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`;
}
