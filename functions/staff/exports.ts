export { eraseStaffAccount, readOwnStaffAccount } from './stores/erase-staff-account.ts';
export { readStandings } from './stores/standings.ts';
