import type { Deployment, Product, RoleScope, SeededUser } from '../lib/contract/product.ts';
import type { DataSubject } from './access/data-subject.ts';
import { environments, settings } from './settings.ts';

/** The facts of this product, and no domain's. The compiler knows its names from here (lib/contract/register.ts). */

export { environments };

export const applications = ['sleepcare', 'medinfo'] as const;

const day = 24 * 60;

/** Why the sessions live so long: decision 56. */
export const deployments = {
  sleepcare: {
    stage: 'de',
    prefix: '/v1',
    basePath: '/de/v1',
    isForStaff: false,
    sessions: { longestMinutes: 30 * day, idleMinutes: 14 * day },
  },
  medinfo: {
    stage: 'v2',
    prefix: '',
    basePath: '/v2',
    isForStaff: true,
    sessions: { longestMinutes: 12 * 60, idleMinutes: 60 },
  },
} as const satisfies Record<(typeof applications)[number], Deployment>;

/** The roles (decisions 12 and 47). The permissions define what each role may do. */
export const roles = [
  'patient',
  'physician',
  'agent',
  'admin',
  'researcher',
  'clinical-safety',
  'developer',
  'integration',
] as const;

type Scope = RoleScope & {
  readonly applications: readonly (typeof applications)[number][];
  readonly environments?: readonly (typeof environments)[number][];
};

export const roleScopes = {
  patient: { applications: ['sleepcare'] },
  physician: { applications: ['medinfo'] },
  agent: { applications: ['medinfo'] },
  admin: { applications: ['medinfo'] },
  researcher: { applications: ['medinfo'] },
  'clinical-safety': { applications: ['medinfo'] },
  developer: { applications: ['sleepcare', 'medinfo'], environments: ['dev', 'staging'] },
  // Of another service, and of no person.
  integration: { applications: ['sleepcare', 'medinfo'], client: 'integration' },
} as const satisfies Record<(typeof roles)[number], Scope>;

/** Holders of this role see flags without a care relation. */
export const safetyRole = 'clinical-safety';

/**
 * A permission for the caller's own data. In the app for patients every caller holds it; in the other app every caller with
 * a role for people.
 */
export const owners = {
  everyoneIn: ['sleepcare'],
  roles: ['physician', 'agent', 'admin', 'researcher', 'clinical-safety', 'developer'],
} as const;

/** The agreement of the seed catalogue with which a patient lets the staff of the patient's own sites see data. */
export const dataSharing = 'data-sharing';

/** The minimum age for a sign-up. Only the year of birth decides, so a person who may still be younger is refused, too. */
export const minimumAge: Readonly<Record<(typeof applications)[number], number>> = { sleepcare: 18, medinfo: 18 };

/** The environments whose time can be set (decision 13). */
export const settableTimeIn = ['dev', 'staging'] as const satisfies (typeof environments)[number][];

const prodGraceDays = 7;

/** How long a user can take back the request to delete the account, by the business rules' time. */
export const deletionGraceDays: Readonly<Record<(typeof environments)[number], number>> = {
  dev: 1,
  staging: 7,
  prod: prodGraceDays,
};

/**
 * How long after a request an erasure may begin at the earliest, both by S3's dates. Where the time can be set, the grace
 * ends by a clock that S3 does not know.
 */
export const datedGraceMs: Readonly<Record<(typeof environments)[number], number>> = {
  dev: 0,
  staging: 0,
  prod: prodGraceDays * 86_400_000,
};

/** Where a person of the staff opens an invitation: its mail links to the page (decision 47). */
export const invitationPages: Readonly<Record<(typeof environments)[number], string>> = {
  dev: 'https://medinfo.dev.example.com/invitations',
  staging: 'https://medinfo.staging.example.com/invitations',
  prod: 'https://medinfo.example.com/invitations',
};

/** Where somebody says "this was not me": mails about acts on an account link to the page (decision 45). */
export const secureAccountPages: Readonly<
  Record<(typeof applications)[number], Readonly<Record<(typeof environments)[number], string>>>
> = {
  sleepcare: {
    dev: 'https://sleepcare.dev.example.com/not-me',
    staging: 'https://sleepcare.staging.example.com/not-me',
    prod: 'https://sleepcare.example.com/not-me',
  },
  medinfo: {
    dev: 'https://medinfo.dev.example.com/not-me',
    staging: 'https://medinfo.staging.example.com/not-me',
    prod: 'https://medinfo.example.com/not-me',
  },
};

/** Who writes the mails of an application, and where a reader can ask: an address, a phone number or a page (decision 45). */
export const mailSenders: Readonly<
  Record<(typeof applications)[number], { readonly name: string; readonly contact: string }>
> = {
  sleepcare: { name: 'Sleepcare', contact: 'help@sleepcare.example.com' },
  medinfo: { name: 'Medinfo', contact: 'help@medinfo.example.com' },
};

type User = SeededUser & {
  readonly application: (typeof applications)[number];
  readonly roles: readonly (typeof roles)[number][];
};

export const seededUsers: readonly User[] = [
  { name: 'patient@example.com', application: 'sleepcare', password: 'patient-patient', roles: ['patient'] },
  { name: 'physician@example.com', application: 'medinfo', password: 'physician-physician', roles: ['physician'] },
  { name: 'admin@example.com', application: 'medinfo', password: 'admin-admin-admin', roles: ['admin'] },
  {
    name: 'developer@example.com',
    application: 'sleepcare',
    password: 'developer-developer',
    roles: ['developer', 'patient'],
  },
  { name: 'developer@example.com', application: 'medinfo', password: 'developer-developer', roles: ['developer'] },
];

export const product = {
  title: 'Mobile Health API',
  description: 'The backend of the sleep-care app (`sleepcare`) and of the physician-facing app (`medinfo`).',
  applications: deployments,
  environments: settings,
  roles: roleScopes,
  rowFormat: 1,
  users: seededUsers,
} as const satisfies Product;

declare module '../lib/contract/register.ts' {
  interface Register {
    readonly product: typeof product;
    readonly dataSubject: DataSubject;
  }
}
