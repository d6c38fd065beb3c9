import type { Person } from '../../lib/explore/scenario.ts';

/** Who calls in the scenarios. */

export const patient: Person = { userId: 'patient-1', application: 'sleepcare', roles: ['patient'] };
export const otherPatient: Person = { userId: 'patient-2', application: 'sleepcare', roles: ['patient'] };
export const physician: Person = { userId: 'physician-1', application: 'medinfo', roles: ['physician'] };
export const agent: Person = { userId: 'agent-1', application: 'medinfo', roles: ['agent'] };
export const otherAgent: Person = { userId: 'agent-2', application: 'medinfo', roles: ['agent'] };
export const admin: Person = { userId: 'admin-1', application: 'medinfo', roles: ['admin'] };
export const otherAdmin: Person = { userId: 'admin-2', application: 'medinfo', roles: ['admin'] };
export const researcher: Person = { userId: 'researcher-1', application: 'medinfo', roles: ['researcher'] };
export const otherResearcher: Person = { userId: 'researcher-2', application: 'medinfo', roles: ['researcher'] };
