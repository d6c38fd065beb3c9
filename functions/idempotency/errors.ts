import { error } from '../../lib/contract/errors.ts';

export const IdempotencyKeyReused = error({
  code: 'IDEMPOTENCY_KEY_REUSED',
  status: 409,
  message: 'The Idempotency-Key was used for another request.',
});
