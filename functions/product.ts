import type { Deployment, Product, RolePlace, SeededUser } from '../lib/contract/product.ts';
import type { AboutPerson } from './access/about.ts';
import { environments, settings } from './settings.ts';

/** The facts of this product, and no domain's. The compiler knows its names from here (lib/contract/register.ts). */

export { environments };

export const applications = ['sleepcare', 'medinfo'] as const;

export const deployments = {
  sleepcare: { stage: 'de', prefix: '/v1', basePath: '/de/v1', isForStaff: false },
  medinfo: { stage: 'v2', prefix: '', basePath: '/v2', isForStaff: true },
} as const satisfies Record<(typeof applications)[number], Deployment>;

/** The roles, which are groups of the user pools (decision 12). The permissions define what each role may do. */
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

type Place = RolePlace & {
  readonly applications: readonly (typeof applications)[number][];
  readonly environments?: readonly (typeof environments)[number][];
};

export const rolePlaces = {
  patient: { applications: ['sleepcare'] },
  physician: { applications: ['medinfo'] },
  agent: { applications: ['medinfo'] },
  admin: { applications: ['medinfo'] },
  researcher: { applications: ['medinfo'] },
  'clinical-safety': { applications: ['medinfo'] },
  developer: { applications: ['sleepcare', 'medinfo'], environments: ['dev', 'staging'] },
  integration: { applications: ['sleepcare', 'medinfo'] },
} as const satisfies Record<(typeof roles)[number], Place>;

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
  about: 'The backend of the sleep-care app (`sleepcare`) and of the physician-facing app (`medinfo`).',
  applications: deployments,
  environments: settings,
  roles: rolePlaces,
  users: seededUsers,
} as const satisfies Product;

declare module '../lib/contract/register.ts' {
  interface Register {
    readonly product: typeof product;
    readonly about: AboutPerson;
  }
}
