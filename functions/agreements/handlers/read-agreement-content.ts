import { isHeld } from '../../../lib/contract/permissions.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { AgreementContentNotFound, AgreementVersionNotFound } from '../errors.ts';
import { administerAgreements } from '../permissions.ts';
import { readAgreementContent } from '../routes.ts';
import { findVersion } from '../stores/catalogue-reader.ts';
import { signReading } from '../stores/content-download.ts';

export const handler = serveWithPrefetch(readAgreementContent)({
  prefetch: ({ params, tables }) => findVersion(tables.Agreements, params.versionId),
  respond: async ({ query, caller, application, buckets, fail }, found) => {
    const administers = isHeld(administerAgreements, { roles: caller.roles, application });
    if (!found || !(administers || found.agreement.application === application)) {
      return fail(AgreementVersionNotFound);
    }
    const { versionId, locales, defaultLocale, contents = {} } = found.version;
    const wanted = query.locale ?? defaultLocale;
    // Only exactly this language: the user did not agree to the text in another one.
    const locale = Object.keys(contents).find((tag) => tag.toLowerCase() === wanted.toLowerCase());
    const stored = locale === undefined ? undefined : contents[locale];
    const declared = locale === undefined ? undefined : locales[locale];
    if (!locale || !stored || !declared) return fail(AgreementContentNotFound);
    const deps = { s3: s3(), bucket: buckets.AgreementContents };
    const signed = await signReading(deps, stored, { versionId, locale });
    const { contentHash } = declared;
    return { versionId, locale, contentHash, contentType: stored.contentType, ...signed };
  },
});
