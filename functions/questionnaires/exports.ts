export { keptBundles, readBundles } from './stores/bundle-rows.ts';
export { type CallerPlace, readPlace } from './stores/caller-place.ts';
export type { Published } from './stores/version-rows.ts';
export { currentVersions, readVersion } from './stores/version-rows.ts';
