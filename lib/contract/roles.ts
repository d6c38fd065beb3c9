import type { Application, Environment } from './deployments.ts';

/** The roles, which are groups of the user pools (decision 12). The permissions define what each role may do. */

type Place = {
  readonly applications: readonly Application[];
  /** Absent: every environment. */
  readonly environments?: readonly Environment[];
};

const places = {
  patient: { applications: ['sleepcare'] },
  physician: { applications: ['medinfo'] },
  agent: { applications: ['medinfo'] },
  admin: { applications: ['medinfo'] },
  researcher: { applications: ['medinfo'] },
  'clinical-safety': { applications: ['medinfo'] },
  developer: { applications: ['sleepcare', 'medinfo'], environments: ['dev', 'staging'] },
  integration: { applications: ['sleepcare', 'medinfo'] },
} as const satisfies Record<string, Place>;

export type Role = keyof typeof places;

export const roles = [
  'patient',
  'physician',
  'agent',
  'admin',
  'researcher',
  'clinical-safety',
  'developer',
  'integration',
] as const satisfies Role[];

/** The roles that exist in an application's user pool. */
export function rolesOf(application: Application, environment: Environment): Role[] {
  return roles.filter((role) => {
    const { applications, environments = [environment] }: Place = places[role];
    return applications.includes(application) && environments.includes(environment);
  });
}
