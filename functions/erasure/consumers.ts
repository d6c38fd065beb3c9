import { consumer } from '../../lib/contract/consumer.ts';

export const eraseAccounts = consumer({
  summary: 'Erases the accounts whose users asked for it and whose last access token has run out',
  application: 'both',
  schedule: 'rate(5 minutes)',
  uses: {
    Erasures: 'move',
    Users: 'move',
    Devices: 'move',
    DeviceTokens: 'move',
    AgentBoardMessages: 'delete',
    PushPlatforms: 'erase',
    UserPool: 'erase',
    Evidence: { 'erasures/': 'log' },
  },
  impact: 'Accounts that their users deleted are still there',
});

/** One for both applications: it alone runs as the expiry role. */
export const releaseConsents = consumer({
  summary: 'Lets the consent records of erased users go when their retention has ended, and signs what went',
  application: 'sleepcare',
  schedule: 'rate(1 day)',
  uses: {
    Erasures: 'move',
    ConsentRecords: 'expire',
    ConsentReceipts: 'write',
    ConsentStates: 'delete',
    LedgerKey: 'continue',
    Evidence: { 'erasures/': 'append', 'tombstones/': 'append' },
  },
  impact: 'Consent records of erased users are kept for longer than their retention',
});
