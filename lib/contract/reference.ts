import type { BodyOf, RequestOf } from './client-types.ts';
import type { Route } from './route.ts';
import type { SchemaNote } from './schemas.ts';

/** What the reference says of a domain beyond its declarations; in a file of its own, so that no function carries it. */

export type Example = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** What a freshly seeded local stage answers, but for ids, times, tokens and hashes. */
  readonly answer: unknown;
};

export type Reference = {
  /** What the domain's group of operations is about, in one sentence. */
  readonly about: string;
  readonly schemas?: readonly SchemaNote[];
  /** By the operation's name. They are one story in the order in which they stand: each works after those before it. */
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
