export { readEntitlements } from './stores/entitlement-rows.ts';
