export { directoryChange } from './stores/directory-change.ts';
export { putEntry, readEntry } from './stores/directory-rows.ts';
export { eraseDirectoryEntry } from './stores/erase-entry.ts';
export { putStaffName, readStaffName } from './stores/staff-names.ts';
