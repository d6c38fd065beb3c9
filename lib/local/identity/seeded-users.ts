/** Who can sign in at a fresh local stage. A role that the template gives no group for is left out. */

export type SeededUser = {
  readonly name: string;
  readonly application: string;
  readonly roles: readonly string[];
};

export const seededUsers: readonly SeededUser[] = [
  { name: 'patient@example.com', application: 'sleepcare', roles: ['patient'] },
  { name: 'physician@example.com', application: 'medinfo', roles: ['physician'] },
  { name: 'admin@example.com', application: 'medinfo', roles: ['admin'] },
  { name: 'developer@example.com', application: 'sleepcare', roles: ['developer', 'patient'] },
  { name: 'developer@example.com', application: 'medinfo', roles: ['developer'] },
];
