import { zipSync } from 'fflate';

/** A ZIP in memory, the same bytes for the same files. Media are compressed already: they are stored. */
export function packed(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Uint8Array {
  const mtime = new Date('2026-01-01T00:00:00');
  const entries = files.map(({ name, bytes }) => {
    const level = /\.(md|vtt|json)$/.test(name) ? (6 as const) : (0 as const);
    return [name, [bytes, { level, mtime }]] as const;
  });
  return zipSync(Object.fromEntries(entries.map(([name, [bytes, options]]) => [name, [bytes, options]])));
}
