import { onTestFinished } from 'vitest';

export type ServerEvent = { readonly name: string; readonly data: ReturnType<typeof JSON.parse> };

/** Reads `/_local/events` of a stage, one event at a time; heartbeats are none. */
export async function readEvents(url: string): Promise<() => Promise<ServerEvent>> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(`${url}/_local/events`, { signal: stop.signal });
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return async () => {
    while (true) {
      const end = rest.indexOf('\n\n');
      if (end < 0) {
        const { value, done } = await reader.read();
        if (done) throw new Error('The stream ended.');
        rest += value;
        continue;
      }
      const lines = rest.slice(0, end).split('\n');
      rest = rest.slice(end + 2);
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const [name, data] = [field('event'), field('data')];
      if (name && data) return { name, data: JSON.parse(data) };
    }
  };
}
