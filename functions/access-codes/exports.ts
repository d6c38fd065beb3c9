export { readEntitlement, readEntitlements, readRedemptions } from './stores/entitlement-rows.ts';
export { eraseEntitlements, readStarts } from './stores/entitlement-starts.ts';
