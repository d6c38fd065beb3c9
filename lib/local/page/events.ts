import type { ServerResponse } from 'node:http';

/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */

export type Events = {
  /** Answers with the stream, which begins with the snapshot and goes on until the reader leaves. */
  readonly join: (response: ServerResponse) => void;
  readonly send: (name: string, data: unknown) => void;
};

/** Who reads more slowly than that is cut off; an EventSource comes again, and gets a new snapshot. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const WATCH_MS = 500;
const BEAT_MS = 15_000;

/**
 * @param snapshot all there is to show
 * @param watched what tells nobody of its changes: looked at while there are readers, and sent as `devices` when it differs
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

/** JSON has no line breaks outside of its strings, and escapes those inside. */
function event(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`;
}
