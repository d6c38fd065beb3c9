import type { Application } from '../lib/contract/deployments.ts';

/**
 * Who may call each route is written down once more, from the contract and not from the code's permissions, so that a slip
 * there is seen: a domain exports `callers` of `test/<domain>/callers.ts`. test/iam/matrix.test.ts tries each of them.
 */

export type Who = 'public' | { readonly [application in Application]?: readonly string[] };

/** By method and path: `GET /users/me`. */
export type Callers = Readonly<Record<string, Who>>;

/** A caller in no group. */
const nobody = '';

/** Every role that an application has, and none. */
export const everyone: Readonly<Record<Application, readonly string[]>> = {
  sleepcare: [nobody, 'patient', 'developer', 'integration'],
  medinfo: [nobody, 'physician', 'agent', 'admin', 'developer', 'integration'],
};

/** Whoever has data of their own: everyone of sleepcare; in medinfo not a caller in no group, and not an integration. */
export const own: Who = { sleepcare: everyone.sleepcare, medinfo: ['physician', 'agent', 'admin', 'developer'] };

/** Everyone of the sleep-care app. */
export const patients: Who = { sleepcare: everyone.sleepcare };

/** Who works with patients. */
export const staff: Who = { medinfo: ['physician', 'agent', 'admin'] };

export const admins: Who = { medinfo: ['admin'] };

export const developers: Who = { sleepcare: ['developer'], medinfo: ['developer'] };
