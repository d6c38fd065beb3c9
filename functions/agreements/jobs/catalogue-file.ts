import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import * as z from 'zod/mini';
import { HttpsAddress, Id, Instant, Locale, oneLine, wellFormed } from '../../../lib/contract/fields.ts';
import { applications } from '../../product.ts';
import type { AgreementWithVersions } from '../rules/catalogue.ts';
import { maxBytes } from '../rules/content.ts';
import { textFault } from '../rules/text-check.ts';
import type { Texts } from './publish-texts.ts';

/** The file of a catalogue, for `npm run cli -- publish-content` and for the seed. */

const Content = z.strictObject({
  title: z.string().check(z.minLength(1), z.maxLength(200), wellFormed, oneLine),
  contentUrl: HttpsAddress,
  /** A file beside the catalogue file: the exact text behind `contentUrl`. Every consent record has its SHA-256. */
  contentFile: z.string().check(z.minLength(1)),
});

const CatalogueFile = z.strictObject({
  application: z.enum(applications),
  agreements: z.array(
    z.strictObject({
      agreementId: Id,
      title: z.string().check(z.minLength(1), z.maxLength(200), wellFormed, oneLine),
      isRequired: z.boolean(),
      position: z.int().check(z.gte(0)),
      versions: z.array(
        z.strictObject({
          versionId: Id,
          label: z.string().check(z.minLength(1), z.maxLength(64), wellFormed, oneLine),
          changeType: z.enum(['major', 'minor']),
          defaultLocale: Locale,
          locales: z.record(Locale, Content),
          effectiveFrom: z.optional(Instant),
        }),
      ),
    }),
  ),
});

export type CatalogueWithTexts = { catalogue: AgreementWithVersions[]; texts: Texts };

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.pdf': 'application/pdf',
};

/**
 * Reads a catalogue file and the texts that it names, and computes their hashes.
 *
 * @returns the catalogue; versions are published and effective at `now` unless the file says otherwise
 * @throws an Error that says what is wrong in the file, and where
 */
export async function readCatalogueFile(path: string, now: string): Promise<CatalogueWithTexts> {
  const parsed = z.safeParse(CatalogueFile, JSON.parse(await readFile(path, 'utf8')));
  if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`);
  const { application, agreements } = parsed.data;
  const texts: Texts = new Map();
  const hashed = textReader(dirname(path), texts);
  const catalogue = agreements.map(async ({ versions, ...agreement }) => ({
    agreement: { ...agreement, application },
    versions: await Promise.all(
      versions.map(async ({ effectiveFrom = now, locales, ...version }) => {
        if (!Object.hasOwn(locales, version.defaultLocale)) {
          throw new Error(`${path}: version ${version.versionId} has no text in its default locale`);
        }
        return {
          ...version,
          agreementId: agreement.agreementId,
          locales: await hashed(locales),
          publishedAt: now,
          effectiveFrom,
          withdrawnAt: null,
        };
      }),
    ),
  }));
  return { catalogue: await Promise.all(catalogue), texts };
}

/** Reads the texts of a version, and adds each one to `texts` under its hash. */
function textReader(folder: string, texts: Texts) {
  const read = async ([locale, { contentFile, ...content }]: [string, z.output<typeof Content>]) => {
    const contentType = contentTypes[extname(contentFile)];
    if (!contentType) throw new Error(`${contentFile}: must be one of ${Object.keys(contentTypes).join(', ')}`);
    const text = await readFile(resolve(folder, contentFile));
    if (text.length > maxBytes) throw new Error(`${contentFile}: ${text.length} bytes, and ${maxBytes} at most`);
    const fault = textFault(text, contentType);
    const contentHash = createHash('sha256').update(text).digest('hex');
    texts.set(contentHash, { text, contentType, fault: fault && `${contentFile}: ${fault.message}` });
    return [locale, { ...content, contentHash }] as const;
  };
  return async (locales: Record<string, z.output<typeof Content>>) =>
    Object.fromEntries(await Promise.all(Object.entries(locales).map(read)));
}
