import { Zip, ZipDeflate } from 'fflate';

export type ZipFile = { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> };

/** A ZIP's bytes, made while they are asked for; of each file a chunk at a time is in memory. */
export async function* zipped(files: Iterable<ZipFile>, at: Date): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  let failure: Error | null = null;
  // Everything is done by the call that asks for it: what a push makes is there when it returns.
  const zip = new Zip((error, chunk) => {
    failure ??= error;
    if (chunk) made.push(chunk);
  });
  const taken = () => {
    if (failure) throw failure;
    return made.splice(0);
  };
  for (const { name, chunks } of files) {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = at;
    zip.add(entry);
    for await (const chunk of chunks) {
      entry.push(chunk);
      yield* taken();
    }
    entry.push(new Uint8Array(0), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
