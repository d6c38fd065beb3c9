import type { Product } from '../../lib/contract/product.ts';
import type { Settings } from '../../lib/contract/settings.ts';

/** Another product on the same platform: one application, one environment, one domain with a table and a route. */

const home: Settings = {
  account: null,
  keepsData: false,
  logRetentionDays: 14,
  addressRetentionDays: 7,
  alarmEmails: [],
  monthlyBudget: null,
  integrationClients: [],
  secondFactor: 'OPTIONAL',
  stageThrottle: { ratePerSecond: 10, burst: 20 },
  tracing: false,
  pushPlatforms: [],
  signingKeyGenerations: [],
  signingGeneration: '',
  evidenceRetention: { mode: 'GOVERNANCE', days: 1 },
  backups: null,
  restoredTables: {},
  canaries: [],
  iosBundleId: 'com.example.clinic',
  mail: { from: 'no-reply@clinic.example.com', identity: 'clinic.example.com' },
  customDomain: null,
  analytics: null,
  logArchive: null,
  malwareScan: false,
};

export const product = {
  title: 'Clinic',
  description: 'The notes of a clinic.',
  applications: {
    clinic: {
      stage: 'c1',
      prefix: '/notes-api',
      basePath: '/c1/notes-api',
      isForStaff: false,
      sessions: { longestMinutes: 60, idleMinutes: 60 },
    },
  },
  environments: { home },
  roles: { nurse: { applications: ['clinic'] } },
  rowFormat: 1,
  users: [{ name: 'nurse@example.com', application: 'clinic', password: 'nurse-nurse-nurse', roles: ['nurse'] }],
} as const satisfies Product;

declare module '../../lib/contract/register.ts' {
  interface Register {
    readonly product: typeof product;
  }
}
