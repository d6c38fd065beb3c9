import type { BodyOf, RequestOf } from './client-types.ts';
import type { Route } from './route.ts';
import type { SchemaNote } from './schemas.ts';

/** A domain's part of the reference beyond its declarations. It is in a file of its own, so that no function carries it. */

export type Example = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** The answer of a freshly seeded local stage, except ids, times, tokens and hashes. */
  readonly answer: unknown;
};

export type Reference = {
  /** One sentence about the domain's group of operations. */
  readonly about: string;
  readonly schemas?: readonly SchemaNote[];
  /** By the operation's name. The examples tell one story in their order: each works after those before it. */
  readonly examples: Readonly<Record<string, Example>>;
};

/** The reference of a domain, whose examples fit its declarations. */
export type ReferenceTo<Declared> = Reference & {
  readonly examples: {
    readonly [N in keyof Declared as Declared[N] extends Route ? N : never]?: Declared[N] extends Route
      ? RequestOf<Declared[N]> & { readonly answer: BodyOf<Declared[N]> }
      : never;
  };
};
