import type { OpenApiDocument } from '../lib/contract/openapi.ts';

/** What the linter's module exports. */
export type Linter = {
  /** @returns one line for each finding. */
  readonly lint: (document: OpenApiDocument) => Promise<string[]>;
  /** The names of the rules of ours. */
  readonly generatorRules: readonly string[];
};
