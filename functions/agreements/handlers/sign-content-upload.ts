import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { AgreementVersionNotFound, AgreementVersionPublished } from '../errors.ts';
import { signContentUpload } from '../routes.ts';
import { findVersion } from '../stores/catalogue-reader.ts';
import { signUpload } from '../stores/content-upload.ts';

export const handler = serveWithPrefetch(signContentUpload)({
  prefetch: ({ params, tables }) => findVersion(tables.Agreements, params.versionId),
  respond: async ({ params, body, buckets, fail }, found) => {
    const { versionId } = params;
    if (!found) return fail(AgreementVersionNotFound);
    const { publishedAt, locales } = found.version;
    if (publishedAt !== null) return fail(AgreementVersionPublished);
    const { locale, contentType } = body;
    const content = Object.hasOwn(locales, locale) ? locales[locale] : undefined;
    if (!content) {
      const message = `must be one of the version's: ${Object.keys(locales).join(', ')}`;
      return fail(ValidationFailed, { issues: [{ in: 'body', path: 'locale', code: 'invalid_value', message }] });
    }
    const { contentHash } = content;
    return signUpload({ s3: s3(), bucket: buckets.AgreementContents }, { versionId, locale, contentHash, contentType });
  },
});
