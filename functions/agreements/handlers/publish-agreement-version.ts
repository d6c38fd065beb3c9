import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { agreementVersionPublished } from '../audit-actions.ts';
import { AgreementContentIncomplete, AgreementVersionNotFound, AgreementVersionPublished } from '../errors.ts';
import { publishAgreementVersion } from '../routes.ts';
import { named, times } from '../rules/audited-version.ts';
import { statusOf } from '../rules/catalogue.ts';
import { decidePublication } from '../rules/publication.ts';
import { changeCatalogue, replaceVersion } from '../stores/catalogue-changes.ts';
import { findVersion, findVersionOf } from '../stores/catalogue-reader.ts';
import { holdContents, verifyContents } from '../stores/content-objects.ts';

export const handler = serveWithPrefetch(publishAgreementVersion)({
  prefetch: ({ params, tables }) => findVersion(tables.Agreements, params.versionId),
  respond: async (input, found) => {
    const { params, body, caller, application, now, requestId, tables, buckets, fail } = input;
    const texts = { s3: s3(), bucket: buckets.AgreementContents };
    const at = now.toISOString();
    const wanted = body?.effectiveFrom ?? null;

    if (!found) return fail(AgreementVersionNotFound);
    const isDue = decidePublication(found.version, wanted, at).outcome === 'publish';
    // The texts are checked once, before the transaction. A draft's row does not change, so another try need not check them again.
    const { contents, problems } = isDue ? await verifyContents(texts, found.version) : { contents: {}, problems: [] };
    if (problems.length > 0) return fail(AgreementContentIncomplete, { locales: problems });
    await holdContents(texts, contents);

    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    const { application: owner, agreementId } = found.agreement;
    return changeCatalogue({ tables }, owner, occasion, async () => {
      const current = await findVersionOf(tables.Agreements, { ...params, owner, agreementId });
      if (!current) return { result: fail(AgreementVersionNotFound) };
      const { version, versions } = current;
      const { outcome, ...publication } = decidePublication(version, wanted, at);
      if (outcome === 'published') return { result: fail(AgreementVersionPublished) };
      if (outcome === 'past') {
        const issue = { path: 'effectiveFrom', code: 'too_small', message: 'must not be in the past' } as const;
        return { result: fail(ValidationFailed, { issues: [{ in: 'body', ...issue }] }) };
      }
      if (outcome === 'unchanged') return { result: { ...version, status: statusOf(version, versions, at) } };
      const published = { ...version, ...publication, contents };
      const after = versions.map((each) => (each === version ? published : each));
      return {
        result: { ...published, status: statusOf(published, after, at) },
        change: {
          items: replaceVersion(current.agreement.application, published, version),
          audit: {
            action: agreementVersionPublished,
            subject: named(version),
            before: times(version),
            after: times(published),
          },
        },
      };
    });
  },
});
