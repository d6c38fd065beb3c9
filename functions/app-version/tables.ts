import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { PolicyRow } from './rules/policy.ts';

/** One version policy for each application and platform; `revision` counts its changes. */
export const AppVersionPolicies = table<PolicyRow>()('AppVersionPolicies', {
  partitionKey: 'application',
  sortKey: 'platform',
});
export type AppVersionPolicies<A extends Action> = Handle<typeof AppVersionPolicies, A>;
