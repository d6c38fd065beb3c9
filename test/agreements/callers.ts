import { admins, type Callers, type Holders, own } from '../callers.ts';

export const callers: Callers = {
  'GET /agreements': admins,
  'POST /agreements': admins,
  'POST /agreements/{agreementId}/versions': admins,
  'POST /agreements/versions/{versionId}/content': admins,
  'POST /agreements/versions/{versionId}/publish': admins,
  'POST /agreements/versions/{versionId}/withdraw': admins,
  'GET /agreements/versions/{versionId}/content': own,
};

export const holders: Holders = {
  'consents:read-own': own,
  'agreements:admin': admins,
};
