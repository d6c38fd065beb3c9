export { deleteEntry, putEntry, readEntry } from './stores/directory-rows.ts';
export { eraseDirectoryEntry } from './stores/erase-entry.ts';
export { putStaffName, readStaffName } from './stores/staff-names.ts';
export { directoryChange } from './workflows/directory-change.ts';
