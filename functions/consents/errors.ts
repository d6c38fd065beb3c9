import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';

export const RequiredAgreement = error({
  code: 'AGREEMENT_REQUIRED',
  status: 400,
  message: 'The consent to a required agreement cannot be revoked.',
});

export const AgreementVersionsNotFound = error({
  code: 'AGREEMENT_VERSIONS_NOT_FOUND',
  status: 404,
  message: 'The application has no such agreement versions.',
  detail: () => z.object({ versionIds: z.array(z.string()) }),
});

export const AgreementVersionNotActive = error({
  code: 'AGREEMENT_VERSION_NOT_ACTIVE',
  status: 409,
  message: 'The version is not the active version of its agreement.',
  detail: () => z.object({ agreementId: z.string(), activeVersionId: z.nullable(z.string()) }),
});
