import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCatalogueFile } from '../../functions/agreements/jobs/catalogue-file.ts';

/** What `npm run cli -- publish-content` takes and refuses. */

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Content = { readonly title: string; readonly contentUrl: string; readonly contentFile: string };

/** A catalogue of one agreement in one language. */
async function read(text: string | Uint8Array, change: Partial<Content> = {}) {
  const content = { title: 'A', contentUrl: 'https://a.example/a', contentFile: 'a.md', ...change };
  const version = { versionId: 'a-1', label: '1', changeType: 'major', defaultLocale: 'en', locales: { en: content } };
  const agreement = { agreementId: 'a', title: 'A', isRequired: true, position: 1, versions: [version] };
  const file = join(folder, 'catalogue.json');
  await writeFile(file, JSON.stringify({ application: 'sleepcare', agreements: [agreement] }));
  await writeFile(join(folder, content.contentFile), text);
  return readCatalogueFile(file, '2026-01-01T00:00:00.000Z');
}

test('a file that is fine', async () => {
  const { texts } = await read('# A\n');
  expect([...texts.values()].map(({ contentType }) => contentType)).toEqual(['text/markdown; charset=utf-8']);
});

describe('an address is https', () => {
  test.each(['javascript:alert(1)', 'http://a.example/a', 'https://name@a.example/a', 'data:text/html,x'])(
    '%s is refused',
    async (contentUrl) => {
      await expect(read('# A\n', { contentUrl })).rejects.toThrow(/contentUrl/);
    },
  );
});

describe('a text is what its ending says', () => {
  test.each<[string, string, string | Uint8Array, RegExp]>([
    ['Markdown with a tag', 'a.md', '# A\n<b>', /a\.md: line 2 has HTML/],
    ['a page with a script', 'a.html', '<script>', /a\.html: line 1 has <script>/],
    ['another encoding', 'a.txt', Buffer.from('Schön', 'latin1'), /a\.txt: line 1 is no UTF-8/],
    ['no PDF', 'a.pdf', '# A', /a\.pdf: does not begin with %PDF-/],
    ['a PDF that runs something', 'a.pdf', '%PDF-1.4 <</OpenAction 1 0 R>> %%EOF', /a\.pdf: has \/OpenAction/],
  ])('%s is refused', async (_case, contentFile, text, message) => {
    const { texts } = await read(text, { contentFile });
    expect([...texts.values()].map(({ fault }) => fault)).toEqual([expect.stringMatching(message)]);
  });

  test('another ending is refused', async () => {
    await expect(read('<svg/>', { contentFile: 'a.svg' })).rejects.toThrow(/a\.svg: must be one of/);
  });
});
