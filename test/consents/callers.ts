import { type Callers, type Holders, own } from '../callers.ts';

export const callers: Callers = {
  'GET /users/agreements': own,
  'POST /users/agreements': own,
  'POST /agreements/versions/{versionId}/agree': own,
  'DELETE /users/agreements/{agreementId}/consent': own,
  'GET /users/agreements/{agreementId}/history': own,
  'GET /users/agreements/{agreementId}/state': own,
  'GET /users/{userId}/agreements/{agreementId}/state': { sleepcare: ['integration'], medinfo: ['integration'] },
};

export const holders: Holders = {
  'consents:write-own': own,
  'consents:read': { sleepcare: ['integration'], medinfo: ['integration'] },
};
