import { table } from '../../lib/contract/tables.ts';

/** One version policy for each application and platform; `revision` counts its changes. */
export const AppVersionPolicies = table('AppVersionPolicies', { partitionKey: 'application', sortKey: 'platform' });
