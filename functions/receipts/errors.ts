import { error } from '../../lib/contract/errors.ts';

export const ConsentNotFound = error({
  code: 'CONSENT_NOT_FOUND',
  status: 404,
  message: 'The caller has no record of a consent to this agreement.',
});

export const ConsentRecordNotFound = error({
  code: 'CONSENT_RECORD_NOT_FOUND',
  status: 404,
  message: 'The caller has no such record of this agreement.',
});
