import { isDeepStrictEqual } from 'node:util';
import type { S3Client } from '@aws-sdk/client-s3';
import { maxLimit } from '../../../lib/contract/collection.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import { agreementChanged, agreementCreated, agreementVersionPublished } from '../audit-actions.ts';
import { declared, named, times } from '../rules/audited-version.ts';
import type { Agreement, AgreementWithVersions, Version } from '../rules/catalogue.ts';
import {
  type ChangeDependencies,
  changeCatalogue,
  type Decided,
  putAgreement,
  putVersion,
  replaceAgreement,
} from '../stores/catalogue-changes.ts';
import { findAgreement, readCatalogue, readVersionName } from '../stores/catalogue-reader.ts';
import type { Agreements } from '../tables.ts';
import type { CatalogueWithTexts } from './catalogue-file.ts';
import { publishTexts, type Texts } from './publish-texts.ts';

/** Puts a catalogue into a stage. Published versions do not change, so publishing the same catalogue again adds nothing. */

type Reading = { readonly tables: { readonly Agreements: Agreements<'get' | 'query'> } };
type WithTexts = ChangeDependencies & Reading & { readonly s3: S3Client; readonly bucket: string };

/** @returns a line for each agreement and version @throws an Error if the file contradicts what is already published */
export async function publishCatalogue(
  deps: WithTexts,
  { catalogue, texts }: CatalogueWithTexts,
  occasion: AuditOccasion,
): Promise<string[]> {
  const done: string[] = [];
  await assertOnePage(deps, catalogue);
  for (const { agreement, versions } of catalogue) {
    const owner = agreement.application;
    const { agreementId } = agreement;
    const outcome = await changeCatalogue(deps, owner, occasion, () => decideAgreement(deps, agreement));
    done.push(`${agreementId}: ${outcome}`);
    for (const version of versions) {
      const published = await changeCatalogue(deps, owner, occasion, () => decideVersion(deps, version, texts));
      done.push(`${agreementId} ${version.versionId}: ${published}`);
    }
  }
  return done;
}

/** At most 100 agreements for each application, stored and new. So the list is one page, and a user's states are one Query. */
async function assertOnePage({ tables }: Reading, catalogue: readonly AgreementWithVersions[]): Promise<void> {
  for (const [application, entries] of Map.groupBy(catalogue, ({ agreement }) => agreement.application)) {
    const stored = await readCatalogue(tables.Agreements, application);
    const ids = new Set([...stored, ...entries].map(({ agreement }) => agreement.agreementId));
    if (ids.size > maxLimit) throw new Error(`${application}: ${ids.size} agreements, and ${maxLimit} at most`);
  }
}

/** Title and position may change. `isRequired` may not, because users consented under the old value. */
async function decideAgreement({ tables }: Reading, wanted: Agreement): Promise<Decided & { result: string }> {
  const { agreementId } = wanted;
  const subject = `agreement/${agreementId}`;
  const found = (await findAgreement(tables.Agreements, agreementId))?.agreement;
  if (!found) {
    const audit = { action: agreementCreated, subject, before: null, after: wanted };
    return { result: 'created', change: { items: putAgreement(wanted), audit } };
  }
  if (wanted.application !== found.application) {
    throw new Error(
      `${agreementId}: is an agreement of ${found.application}; another application needs another agreementId`,
    );
  }
  if (wanted.isRequired !== found.isRequired) {
    throw new Error(`${agreementId}: isRequired cannot change; publish it under a new agreementId`);
  }
  if (wanted.title === found.title && wanted.position === found.position) return { result: 'is there' };
  const audit = { action: agreementChanged, subject, before: found, after: wanted };
  return { result: 'updated', change: { items: replaceAgreement(wanted), audit } };
}

async function decideVersion(deps: WithTexts, wanted: Version, texts: Texts): Promise<Decided & { result: string }> {
  const { tables } = deps;
  const found = await findAgreement(tables.Agreements, wanted.agreementId);
  if (!found) throw new Error(`${wanted.agreementId}: is not there`);
  const owner = found.agreement.application;
  const before = found.versions.find(({ versionId }) => versionId === wanted.versionId);
  if (before) {
    assertUnchanged(wanted, before);
    return { result: 'is published' };
  }
  if (await readVersionName(tables.Agreements, wanted.versionId)) {
    throw new Error(`${wanted.versionId}: is a version of another agreement`);
  }
  const contents = await publishTexts(deps, wanted, texts);
  const about = { action: agreementVersionPublished, subject: named(wanted) };
  const audit = { ...about, before: null, after: { ...declared(wanted), ...times(wanted) } };
  return { result: 'published', change: { items: putVersion(owner, { ...wanted, contents }), audit } };
}

function assertUnchanged(wanted: Version, published: Version): void {
  if (published.publishedAt === null) {
    throw new Error(
      `${wanted.versionId}: is a draft of an administrator's; publish it there, or take another versionId`,
    );
  }
  // A version without a time in the file keeps the time of its first publication.
  const isTimeStated = wanted.effectiveFrom !== wanted.publishedAt;
  if (isTimeStated && wanted.effectiveFrom !== published.effectiveFrom) {
    throw new Error(`${wanted.versionId}: is published with effectiveFrom ${published.effectiveFrom}`);
  }
  const said = ({ label, changeType, defaultLocale, locales }: Version) => ({
    label,
    changeType,
    defaultLocale,
    locales,
  });
  if (!isDeepStrictEqual(said(wanted), said(published))) {
    throw new Error(`${wanted.versionId}: a published version cannot change; publish a new version`);
  }
}
