import type { Product } from './product.ts';

/**
 * The type of the product's facts. A product adds itself, so that the compiler knows its names:
 * `declare module '…/lib/contract/register.ts' { interface Register { readonly product: typeof product } }`.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: a product augments it
export interface Register {}

type Registered = Register extends { readonly product: infer P } ? P : Product;

type NamesIn<K extends keyof Product> = Registered extends { readonly [N in K]: infer Facts }
  ? keyof Facts & string
  : never;

/** `sleepcare`: an API with a user pool of its own. */
export type Application = NamesIn<'applications'>;

/** `dev`: all stacks of the product in one account. */
export type Environment = NamesIn<'environments'>;

/** `patient`: a group of a user pool. */
export type Role = NamesIn<'roles'>;

/**
 * Whom a route is about, and why the caller may look: a product with such routes adds its type as `dataSubject`, and what follows
 * from it as `DataSubjectRules`. A member `consent` names the agreement that the person must consent to.
 */
export type RegisteredDataSubject = Register extends { readonly dataSubject: infer A } ? A : never;
