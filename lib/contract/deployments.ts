/** The two applications, the three environments and the base addresses (docs/architecture.md). */

export const environments = ['dev', 'staging', 'prod'] as const;
export type Environment = (typeof environments)[number];

export const applications = ['sleepcare', 'medinfo'] as const;
export type Application = (typeof applications)[number];

export type Deployment = {
  /** API Gateway's stage name: the first segment of the address. */
  readonly stage: string;
  /** What the resource tree adds to the stage's name, '' or '/v1'. */
  readonly prefix: string;
  /** Both together, as in a client's address. */
  readonly basePath: string;
};

export const deployments: Record<Application, Deployment> = {
  sleepcare: { stage: 'de', prefix: '/v1', basePath: '/de/v1' },
  medinfo: { stage: 'v2', prefix: '', basePath: '/v2' },
};

/** How long a user can take back the request to delete the account, by the business rules' time. */
export const deletionGraceDays: Record<Environment, number> = { dev: 1, staging: 7, prod: 7 };

/** The minimum age for a sign-up. Only the year of birth decides, so a person who may still be younger is refused, too. */
export const minimumAge: Record<Application, number> = { sleepcare: 18, medinfo: 18 };

/** @throws an Error that lists the three environments if `name` is none of them. */
export function environmentNamed(name: unknown): Environment {
  const found = environments.find((environment) => environment === name);
  if (!found) throw new Error(`unknown stage ${JSON.stringify(name)}: one of ${environments.join(', ')} is needed`);
  return found;
}
