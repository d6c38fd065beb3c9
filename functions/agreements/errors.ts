import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';

export const AgreementNotFound = error({
  code: 'AGREEMENT_NOT_FOUND',
  status: 404,
  message: 'There is no such agreement.',
});

export const AgreementVersionNotFound = error({
  code: 'AGREEMENT_VERSION_NOT_FOUND',
  status: 404,
  message: 'There is no such agreement version.',
});

export const AgreementVersionPublished = error({
  code: 'AGREEMENT_VERSION_PUBLISHED',
  status: 409,
  message: 'A published version cannot be changed.',
});

export const AgreementVersionNotPublished = error({
  code: 'AGREEMENT_VERSION_NOT_PUBLISHED',
  status: 409,
  message: 'The version is not published.',
});

export const AgreementLimitReached = error({
  code: 'AGREEMENT_LIMIT_REACHED',
  status: 409,
  message: 'The application has the maximum number of agreements.',
});

export const AgreementContentIncomplete = error({
  code: 'AGREEMENT_CONTENT_INCOMPLETE',
  status: 409,
  message: 'Not every uploaded text is there, as the version declares it, and as an agreement may be.',
  detail: () =>
    z.object({
      locales: z.array(
        z.object({
          locale: z.string(),
          problem: z.enum(['missing', 'unscanned', 'mismatch', 'tooLarge', 'wrongType', 'active']),
          message: z.optional(z.string()),
        }),
      ),
    }),
});

export const AgreementContentNotFound = error({
  code: 'AGREEMENT_CONTENT_NOT_FOUND',
  status: 404,
  message: 'The version has no published text in this locale.',
});
