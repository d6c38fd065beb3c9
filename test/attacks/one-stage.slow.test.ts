import { describe } from 'vitest';
import { attackEntitlementsAndSessions } from './entitlements-and-sessions.ts';
import { attackedHouse } from './house.ts';
import { attackWhatProtects } from './protective-acts.ts';
import { attackStaffAccounts } from './staff-accounts.ts';
import { attackStoredReceipts } from './stored-receipts.ts';
import { attackOwners } from './told-owners.ts';

/** Attacks that disturb each other in nothing: a stage takes longer to start than each of them. */

const house = attackedHouse();
describe('entitlements and sessions', () => attackEntitlementsAndSessions(house));
describe('accounts of the staff', () => attackStaffAccounts(house));
describe('owners', () => attackOwners(house));
describe('what protects', () => attackWhatProtects(house));
describe('stored receipts', () => attackStoredReceipts(house));
