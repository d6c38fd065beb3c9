import { HeadObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { afterAll, expect, test } from 'vitest';
import { seed } from '../../bin/seed.ts';
import { publishCatalogue } from '../../functions/agreements/jobs/publish-catalogue.ts';
import { publishTexts } from '../../functions/agreements/jobs/publish-texts.ts';
import type { AgreementWithVersions } from '../../functions/agreements/rules/catalogue.ts';
import { findAgreement } from '../../functions/agreements/stores/catalogue-reader.ts';
import { typed } from '../typed.ts';
import { occasion, publish, sha256 } from './publish.ts';
import { openStage } from './stage.ts';

/** The catalogue as a file: the seed, and `npm run cli -- publish-content`. */

const own = await openStage();
afterAll(() => own.close());

async function agreement(agreementId: string): Promise<AgreementWithVersions> {
  return (await findAgreement(own.place.tables.Agreements, agreementId)) as AgreementWithVersions;
}

async function objects() {
  const { s3, bucket } = own.place;
  return (await s3.send(new ListObjectVersionsCommand({ Bucket: bucket }))).Versions ?? [];
}

test('publishing the same again changes nothing', async () => {
  const before = { terms: await agreement('terms-of-service'), objects: await objects() };
  await seed(own.stage.data);
  expect({ terms: await agreement('terms-of-service'), objects: await objects() }).toEqual(before);
  const { body } = await own.admin('GET', '/admin/audit-events?actor=seed&subject=agreement-version%2Fmarketing-1.0');
  expect(body.items).toHaveLength(1);
});

test('every text is under a legal hold', async () => {
  const { s3, bucket } = own.place;
  const all = await objects();
  expect(all).toHaveLength(18);
  for (const { Key, VersionId } of all) {
    const held = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key, VersionId }));
    expect(held.ObjectLockLegalHoldStatus).toBe('ON');
  }
});

test('a text that an interrupted publication left is cited, and is not stored again', async () => {
  const { agreement: found, versions } = await agreement('marketing');
  const [version] = versions;
  if (!version) throw new Error('the seed has no marketing');
  const { contents: _contents, ...published } = version;
  const text = Buffer.from('left');
  const [versionId, contentHash] = ['marketing-left', sha256(text)];
  const locales = { en: { title: 'Left', contentUrl: 'https://example.com/left', contentHash } };
  const wanted = { ...published, versionId, defaultLocale: 'en', locales };
  const texts = new Map([[contentHash, { text, contentType: 'text/plain; charset=utf-8', fault: null }]]);
  const left = await publishTexts(own.place, wanted, texts);
  const before = await objects();
  await publishCatalogue(own.place, { catalogue: [{ agreement: found, versions: [wanted] }], texts }, occasion());
  const after = (await agreement('marketing')).versions.find((each) => each.versionId === versionId);
  expect([after?.contents, await objects()]).toEqual([left, before]);
});

test('a file that contradicts published versions is refused, and changes nothing', async () => {
  const found = await agreement('terms-of-service');
  const texts = new Map();
  const publishing = (catalogue: AgreementWithVersions[]) =>
    publishCatalogue(own.place, { catalogue, texts }, occasion());
  const altered = found.versions.map((version) => ({ ...version, label: 'altered' }));
  await expect(publishing([{ ...found, versions: altered }])).rejects.toThrow(/cannot change/);
  const optional = { ...found, agreement: { ...found.agreement, isRequired: false } };
  await expect(publishing([optional])).rejects.toThrow(/isRequired cannot change/);
  const stolen = { agreement: { ...found.agreement, application: 'medinfo' }, versions: [] };
  await expect(publishing([stolen])).rejects.toThrow(/agreement of sleepcare/);
  const [version] = (await agreement('marketing')).versions;
  if (!version) throw new Error('the seed has no marketing');
  const elsewhere = { ...found, versions: [{ ...version, agreementId: 'terms-of-service' }] };
  await expect(publishing([elsewhere])).rejects.toThrow(/version of another agreement/);
  const textless = { ...found, versions: [{ ...version, agreementId: 'terms-of-service', versionId: 'textless' }] };
  await expect(publishing([textless])).rejects.toThrow(/is not there/);
  expect(await agreement('terms-of-service')).toEqual(found);
});

test('a new title is an audited change', async () => {
  const { agreement: found } = await agreement('research-data');
  const wanted = { ...found, title: 'Research' };
  expect(await publish(own.place, [{ agreement: wanted, versions: [] }])).toEqual(['research-data: updated']);
  const { items } = (await own.admin('GET', '/admin/audit-events?subject=agreement%2Fresearch-data&actor=test')).body;
  expect(items).toMatchObject([
    { action: 'agreement.changed', before: { title: found.title }, after: { title: 'Research' } },
  ]);
});

test('the command publishes a file on the running local stage', async () => {
  const command = ['publish-content', '--local', '--file', 'functions/agreements/seed/medinfo/catalogue.json'];
  const env = { ...process.env, PORT: String(own.stage.port) };
  const { out } = await typed(command, env);
  expect(out.split('\n').filter((line) => line.endsWith('is published'))).toHaveLength(3);
});
