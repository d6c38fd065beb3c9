export { rolloutPlace } from './rules/rollout.ts';
export { compareAppVersions } from './rules/version-order.ts';
