import { describe } from 'vitest';
import { attackedStage } from './attacked-stage.ts';
import { attackEntitlementsAndSessions } from './entitlements-and-sessions.ts';
import { attackWhatProtects } from './protective-acts.ts';
import { attackStaffAccounts } from './staff-accounts.ts';
import { attackStoredReceipts } from './stored-receipts.ts';
import { attackOwners } from './told-owners.ts';

/** Attacks that disturb each other in nothing: a stage takes longer to start than each of them. */

const attacked = attackedStage();
describe('entitlements and sessions', () => attackEntitlementsAndSessions(attacked));
describe('accounts of the staff', () => attackStaffAccounts(attacked));
describe('owners', () => attackOwners(attacked));
describe('what protects', () => attackWhatProtects(attacked));
describe('stored receipts', () => attackStoredReceipts(attacked));
