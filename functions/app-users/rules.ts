export { entryKey, type Status, userOfKey } from './rules/directory.ts';
