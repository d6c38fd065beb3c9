export { changedEntry, type DirectoryEntry, withoutSite, withSite } from './rules/directory.ts';
export { nameText } from './rules/name-text.ts';
