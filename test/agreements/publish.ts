import { createHash } from 'node:crypto';
import { publishCatalogue } from '../../functions/agreements/jobs/publish-catalogue.ts';
import type { Texts } from '../../functions/agreements/jobs/publish-texts.ts';
import type { AgreementWithVersions, Version } from '../../functions/agreements/rules/catalogue.ts';

/** Publishes versions in the past or the future of whose texts nothing is known but that they differ, as the command does. */

type PublishDependencies = Parameters<typeof publishCatalogue>[0];

export async function publish(
  place: PublishDependencies,
  catalogue: readonly AgreementWithVersions[],
): Promise<string[]> {
  const texts: Texts = new Map();
  const written = catalogue.map(({ agreement, versions }) => ({
    agreement,
    versions: versions.map((version) => withTexts(version, texts)),
  }));
  return publishCatalogue(place, { catalogue: written, texts }, occasion());
}

export function occasion() {
  return { application: 'medinfo', actor: 'test', requestId: 'test', realNow: new Date() };
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

function withTexts({ contents: _contents, ...version }: Version, texts: Texts): Version {
  const locales = Object.entries(version.locales).map(([locale, content]) => {
    const text = Buffer.from(`${version.versionId} in ${locale}`);
    const contentHash = sha256(text);
    texts.set(contentHash, { text, contentType: 'text/plain; charset=utf-8', fault: null });
    return [locale, { ...content, contentHash }];
  });
  return { ...version, locales: Object.fromEntries(locales) };
}
