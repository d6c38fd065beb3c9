import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';
import { Timestamp } from '../../lib/contract/fields.ts';

export const ExportNotFound = error({
  code: 'EXPORT_NOT_FOUND',
  status: 404,
  message: 'The caller has no such export.',
});

export const TooManyExports = error({
  code: 'TOO_MANY_EXPORTS',
  status: 429,
  message: 'The caller has already requested the maximum number of exports for one day.',
  // The hour after which another one may be possible; the detail says when it is.
  retryAfter: 3600,
  detail: () => z.object({ possibleAt: Timestamp }),
});
