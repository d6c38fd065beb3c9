export { keptBundles, readBundles } from './stores/bundle-rows.ts';
export { readLocaleAndZone } from './stores/locale-and-zone.ts';
export type { Published } from './stores/version-rows.ts';
export { currentVersions, readVersion } from './stores/version-rows.ts';
