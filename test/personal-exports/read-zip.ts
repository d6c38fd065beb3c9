import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { fromBuffer, type ZipFile } from 'yauzl';

/** A ZIP's files by name, read by a library that is not the one that made it; each CRC and length is checked. */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const open = promisify<Buffer, object, ZipFile>(fromBuffer);
  const zip = await open(bytes, { lazyEntries: false, validateEntrySizes: true });
  const reading: Promise<[string, Buffer]>[] = [];
  await new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', resolve);
    zip.on('entry', (entry) => {
      const stream = promisify(zip.openReadStream.bind(zip));
      reading.push((async () => [entry.fileName, await buffer(await stream(entry))])());
    });
  });
  return new Map(await Promise.all(reading));
}
