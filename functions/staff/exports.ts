export { eraseStaffAccount, readOwnStaffAccount } from './stores/erase-staff-account.ts';
