/**
 * Who may call each route and who holds each permission is written down once more, by hand and not from the code, so
 * that a slip there is seen: a domain exports `callers` and `holders` of `test/<domain>/callers.ts`.
 */

import type { Application } from '../lib/contract/register.ts';
export type Roles = { readonly [application in Application]?: readonly string[] };

export type Who = 'public' | Roles;

/** By method and path: `GET /users/me`. */
export type Callers = Readonly<Record<string, Who>>;

/** By the permission's name. */
export type Holders = Readonly<Record<string, Roles>>;

/** A caller in no group. */
export const nobody = '';

/** Every role that an application has, and none. */
export const everyone: Readonly<Record<Application, readonly string[]>> = {
  sleepcare: [nobody, 'patient', 'developer', 'integration'],
  medinfo: [nobody, 'physician', 'agent', 'admin', 'researcher', 'clinical-safety', 'developer', 'integration'],
};

/** Whoever has data of their own: everyone of sleepcare; in medinfo not a caller in no group, and not an integration. */
export const own: Roles = {
  sleepcare: everyone.sleepcare,
  medinfo: ['physician', 'agent', 'admin', 'researcher', 'clinical-safety', 'developer'],
};

/** Everyone of the sleep-care app. */
export const patients: Roles = { sleepcare: everyone.sleepcare };

/** Who works with patients. */
export const staff: Roles = { medinfo: ['physician', 'agent', 'admin'] };

/** Who administers accounts. */
export const agents: Roles = { medinfo: ['agent', 'admin'] };

export const admins: Roles = { medinfo: ['admin'] };

export const developers: Roles = { sleepcare: ['developer'], medinfo: ['developer'] };
