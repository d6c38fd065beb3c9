import { type Callers, own } from '../callers.ts';

export const callers: Callers = {
  'GET /users/agreements/{agreementId}/receipt': own,
  'GET /users/agreements/{agreementId}/history/{recordId}/receipt': own,
  'POST /agreements/receipts/verify': 'public',
  'GET /.well-known/jwks.json': 'public',
};
