import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { findVersion } from '../../functions/agreements/stores/catalogue-reader.ts';
import { signReading } from '../../functions/agreements/stores/content-download.ts';
import { signUpload as uploadOf } from '../../functions/agreements/stores/content-upload.ts';
import type { S3Call } from '../../lib/local/s3/operation.ts';
import { sha256 } from './publish.ts';
import { declaring, html, newAgreement, newDraft, openStage, post, signedIn, signUpload } from './stage.ts';

const faults = { s3: (_call: S3Call): 'error' | undefined => undefined };

const own = await openStage({ intercept: { s3: (call) => faults.s3(call) } });
afterAll(() => own.close());
afterEach(() => {
  faults.s3 = () => undefined;
});

const mostBytes = 10 * 1024 * 1024;

const admin = (...[method, path, body]: Parameters<typeof own.admin>) => own.admin(method, path, body);
const publish = (versionId: string) => admin('POST', `/agreements/versions/${versionId}/publish`);
const read = (versionId: string, query = '') => own.user('GET', `/agreements/versions/${versionId}/content${query}`);

/** A draft that declares these texts, none of them uploaded. */
async function declared(texts: Record<string, string | Uint8Array>) {
  const versionId = `declared-${crypto.randomUUID().slice(0, 8)}`;
  await admin('POST', `/agreements/${await newAgreement(own.admin)}/versions`, { versionId, ...declaring(texts) });
  return versionId;
}

/** What a route signs, as it signed it so long ago. */
async function signedBefore<T>(ms: number, sign: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - ms });
  try {
    return await sign();
  } finally {
    vi.useRealTimers();
  }
}

/** The newest object that S3 has for a text; an operator who may write anything put it there without the form. */
async function plant(versionId: string, hash: string, text: string | Uint8Array) {
  const Key = `versions/${versionId}/en/${hash}`;
  await own.place.s3.send(new PutObjectCommand({ Bucket: own.place.bucket, Key, Body: text, ContentType: html }));
}

describe('POST /agreements/versions/{versionId}/content', () => {
  test('200: a form with its conditions', async () => {
    const text = 'the text';
    const versionId = await declared({ en: text });
    const began = Date.now();
    const { status, body } = await admin('POST', `/agreements/versions/${versionId}/content`, {
      locale: 'en',
      contentType: html,
    });
    const ended = Date.now();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      maxBytes: mostBytes,
      fields: {
        key: `versions/${versionId}/en/${sha256(text)}`,
        'Content-Type': html,
        'x-amz-checksum-sha256': Buffer.from(sha256(text), 'hex').toString('base64'),
      },
    });
    const { conditions, expiration } = JSON.parse(Buffer.from(body.fields.Policy, 'base64').toString());
    expect(conditions).toContainEqual(['content-length-range', 1, mostBytes]);
    for (const time of [expiration, body.expiresAt]) {
      // Some are in whole seconds.
      expect(Date.parse(time)).toBeGreaterThan(began + 600_000 - 1_000);
      expect(Date.parse(time)).toBeLessThanOrEqual(ended + 600_000);
    }
  });

  test('200: whoever leaves out the encoding of a text gets it, since there is one', async () => {
    const versionId = await declared({ en: 'text' });
    const typeOf = async (contentType: string) =>
      (await admin('POST', `/agreements/versions/${versionId}/content`, { locale: 'en', contentType })).body.fields[
        'Content-Type'
      ];
    for (const given of ['text/html', 'TEXT/HTML;charset=UTF-8', html]) expect(await typeOf(given)).toBe(html);
    expect(await typeOf('application/pdf')).toBe('application/pdf');
  });

  test('S3 accepts with it only the declared text, within ten minutes, up to 10 MB', async () => {
    const text = new Uint8Array(mostBytes).fill(0x61);
    const versionId = await declared({ en: text });
    const upload = await signUpload(own.admin, versionId);
    const altered = (name: string, value: string) => ({ ...upload, fields: { ...upload.fields, [name]: value } });
    expect(await post(upload, 'another text')).toEqual({ status: 400, code: 'BadDigest' });
    expect(await post(upload, '')).toEqual({ status: 400, code: 'EntityTooSmall' });
    const larger = new Uint8Array(mostBytes + 1).fill(0x61);
    expect(await post(upload, larger)).toEqual({ status: 400, code: 'EntityTooLarge' });
    const denied = { status: 403, code: 'AccessDenied' };
    expect(await post(altered('key', 'versions/marketing-1.0/en/x'), text)).toEqual(denied);
    expect(await post(altered('Content-Type', 'text/javascript'), text)).toEqual(denied);
    const checksum = Buffer.from(sha256('another text'), 'hex').toString('base64');
    expect(await post(altered('x-amz-checksum-sha256', checksum), 'another text')).toEqual(denied);
    expect(await post(altered('x-amz-storage-class', 'GLACIER'), text)).toEqual(denied);
    const policy = JSON.parse(Buffer.from(upload.fields.Policy ?? '', 'base64').toString());
    const longer = Buffer.from(JSON.stringify({ ...policy, expiration: '2100-01-01T00:00:00Z' })).toString('base64');
    expect(await post(altered('Policy', longer), text)).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
    expect((await publish(versionId)).body.detail).toEqual({ locales: [{ locale: 'en', problem: 'missing' }] });

    expect((await post(upload, text)).status).toBe(204);
    expect((await publish(versionId)).status).toBe(200);
  });

  test('it accepts nothing after ten minutes', async () => {
    const text = { versionId: 'later', locale: 'en', contentHash: sha256('text'), contentType: html };
    const old = (ms: number) => signedBefore(ms, () => uploadOf(own.place, text));
    expect((await post(await old(300_000), 'text')).status).toBe(204);
    expect(await post(await old(601_000), 'text')).toEqual({ status: 403, code: 'AccessDenied' });
  });

  test('400: a language that the draft does not declare, or a type that is not a text', async () => {
    const versionId = await declared({ en: 'text' });
    const sign = (body: object) => admin('POST', `/agreements/versions/${versionId}/content`, body);
    expect(await sign({ locale: 'de', contentType: html })).toMatchObject({
      status: 400,
      body: { detail: { issues: [{ in: 'body', path: 'locale' }] } },
    });
    expect((await sign({ locale: 'valueOf', contentType: html })).status).toBe(400);
    expect((await sign({ locale: 'en', contentType: 'text/javascript' })).status).toBe(400);
    expect((await sign({ locale: 'en', contentType: 'text/html; charset=latin1' })).status).toBe(400);
  });
});

describe('POST /agreements/versions/{versionId}/publish', () => {
  test('409: missing, different and too large texts are named, and nothing is published', async () => {
    const larger = new Uint8Array(mostBytes + 1).fill(0x61);
    const versionId = await declared({ en: 'text', de: 'Text', fr: 'texte' });
    expect((await post(await signUpload(own.admin, versionId), 'text')).status).toBe(204);
    const answer = await publish(versionId);
    expect(answer).toMatchObject({ status: 409, body: { code: 'AGREEMENT_CONTENT_INCOMPLETE' } });
    expect(answer.body.detail.locales).toEqual([
      { locale: 'de', problem: 'missing' },
      { locale: 'fr', problem: 'missing' },
    ]);
    const [altered, large] = [await declared({ en: 'text' }), await declared({ en: larger })];
    // The newest object counts, not that there was a right one once.
    await post(await signUpload(own.admin, altered), 'text');
    await plant(altered, sha256('text'), 'altered');
    await plant(large, sha256(larger), larger);
    expect((await publish(altered)).body.detail.locales).toEqual([{ locale: 'en', problem: 'mismatch' }]);
    expect((await publish(large)).body.detail.locales).toEqual([{ locale: 'en', problem: 'tooLarge' }]);
    for (const id of [versionId, altered, large]) expect((await read(id)).status).toBe(404);
  });

  test.each<[string, string, string | Uint8Array, string, string]>([
    ['a text that is not UTF-8', 'text/plain', Buffer.from('Schön', 'latin1'), 'wrongType', 'line 1 is no UTF-8'],
    ['a text that is no PDF', 'application/pdf', 'a', 'wrongType', 'does not begin with %PDF- and end with %%EOF'],
    ['a page with a script', 'text/html', '<p>\n<script>', 'active', 'line 2 has <script>'],
    ['Markdown with a tag', 'text/markdown', '# A\n\n<b>', 'active', 'line 3 has HTML'],
    ['a PDF that runs something', 'application/pdf', '%PDF-1.4 <</J#53(x)>> %%EOF', 'active', 'has /JS'],
  ])('409: %s is not published', async (_case, contentType, text, problem, message) => {
    const versionId = await declared({ en: text });
    const sign = { locale: 'en', contentType };
    const { body: upload } = await admin('POST', `/agreements/versions/${versionId}/content`, sign);
    expect((await post(upload, new Uint8Array(Buffer.from(text)))).status).toBe(204);
    const answer = await publish(versionId);
    expect(answer).toMatchObject({ status: 409, body: { code: 'AGREEMENT_CONTENT_INCOMPLETE' } });
    expect(answer.body.detail.locales).toEqual([{ locale: 'en', problem, message: expect.stringContaining(message) }]);
    expect((await read(versionId)).status).toBe(404);
  });

  test('503: while S3 fails nothing is published; repeating it does', async () => {
    const versionId = await newDraft(own.admin, await newAgreement(own.admin));
    for (const failing of ['GetObject', 'PutObjectLegalHold']) {
      faults.s3 = ({ action }) => (action === failing ? 'error' : undefined);
      expect((await publish(versionId)).status).toBe(503);
      faults.s3 = () => undefined;
      expect((await read(versionId)).status).toBe(404);
    }
    expect((await publish(versionId)).status).toBe(200);
  });
});

describe('GET /agreements/versions/{versionId}/content', () => {
  const fetched = async (answer: {
    body: Record<'versionId' | 'locale' | 'url' | 'contentHash' | 'contentType', string>;
  }) => {
    const response = await fetch(answer.body.url);
    const text = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).toBe(answer.body.contentType);
    expect(answer.body.contentType).toMatch(/; charset=utf-8$/);
    // A page is saved, and does not run where the bucket is.
    const { versionId, locale } = answer.body;
    const name = `${versionId}.${locale}.${answer.body.contentType === html ? 'html' : 'md'}`;
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect(sha256(text)).toBe(answer.body.contentHash);
    return text.toString();
  };

  test('200: the exact text in each language, for five minutes', async () => {
    const texts = { en: 'The text\r\n', 'de-AT': '\ufeffDer Text 😴' };
    const versionId = await newDraft(own.admin, await newAgreement(own.admin), texts);
    expect(await read(versionId)).toMatchObject({ status: 404, body: { code: 'AGREEMENT_CONTENT_NOT_FOUND' } });
    await publish(versionId);
    expect(await fetched(await read(versionId))).toBe(texts.en);
    const german = await read(versionId, '?locale=de_at');
    expect(german.body).toMatchObject({
      versionId,
      locale: 'de-AT',
      contentHash: sha256(texts['de-AT']),
      contentType: html,
    });
    expect(await fetched(german)).toBe(texts['de-AT']);
    const stored = (await findVersion(own.place.tables.Agreements, versionId))?.version.contents?.en;
    if (!stored) throw new Error('no text');
    const named = { versionId, locale: 'en' };
    const old = (ms: number) => signedBefore(ms, () => signReading(own.place, stored, named));
    const answer = await fetch((await old(150_000)).url);
    expect(answer.status).toBe(200);
    expect((await fetch((await old(301_000)).url)).status).toBe(403);
  });

  test('200: the text of every version that a consent can cite, after any change of the version and of the bucket', async () => {
    const agreementId = await newAgreement(own.admin);
    const [first, second] = [await newDraft(own.admin, agreementId), await newDraft(own.admin, agreementId)];
    await publish(first);
    expect((await own.user('POST', `/agreements/versions/${first}/agree`)).status).toBe(200);
    await publish(second);
    await admin('POST', `/agreements/versions/${first}/withdraw`);

    const { s3, bucket: Bucket } = own.place;
    const { url } = (await read(first)).body;
    const [Key, VersionId] = [
      new URL(url).pathname.split('/').slice(2).join('/'),
      new URL(url).searchParams.get('versionId') ?? '',
    ];
    // Not even an operator who may do anything; a newer version or a delete marker changes nothing.
    for (const more of [{}, { BypassGovernanceRetention: true }]) {
      await expect(s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId, ...more }))).rejects.toThrow(
        expect.objectContaining({ name: 'AccessDenied' }),
      );
    }
    await plant(first, sha256(`text of ${agreementId}`), 'altered');
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    const [record] = (await own.user('GET', `/users/agreements/${agreementId}/history`)).body.items;
    const cited = await read(record.versionId, `?locale=${record.locale}`);
    expect(cited.body.contentHash).toBe(record.contentHash);
    expect(await fetched(cited)).toBe(`text of ${agreementId}`);
  });

  test("200: every text of the seed; administrators read both applications'", async () => {
    const { items } = (await admin('GET', '/agreements?limit=100')).body;
    const seeded = items.filter(({ position }: { position: number }) => position < 900);
    for (const { versions } of seeded) {
      for (const { versionId, locales } of versions) {
        for (const locale of Object.keys(locales)) {
          await fetched(await admin('GET', `/agreements/versions/${versionId}/content?locale=${locale}`));
        }
      }
    }
    expect(seeded.length).toBe(8);
  });

  test('404: an unknown version, one of the other application, a language that it does not have', async () => {
    const missing = { status: 404, body: { code: 'AGREEMENT_VERSION_NOT_FOUND' } };
    expect(await read('unknown')).toMatchObject(missing);
    expect(await read('medinfo-newsletter-1.0')).toMatchObject(missing);
    const physician = await signedIn(own.stage, 'physician', 'medinfo');
    expect((await physician('GET', '/agreements/versions/medinfo-newsletter-1.0/content')).status).toBe(200);
    expect(await physician('GET', '/agreements/versions/marketing-1.0/content')).toMatchObject(missing);
    expect((await read('marketing-1.0', '?locale=fr')).body.code).toBe('AGREEMENT_CONTENT_NOT_FOUND');
    expect((await read('marketing-1.0', '?locale=valueOf')).status).toBe(404);
  });
});
