export { StaffAccounts } from '../../lib/contract/staff-accounts.ts';
