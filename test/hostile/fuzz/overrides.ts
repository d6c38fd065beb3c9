/** What the document cannot say about an operation, and the fuzzer has to know. */

export type Override = {
  /** Sent by the same caller once the operation succeeded: what it did to everybody is taken back. */
  readonly undoneBy?: string;
  /** How much less often it is called, as each call costs more: one of so many. */
  readonly rarer?: number;
  /** Why no generated request can succeed. */
  readonly neverSucceeds?: string;
};

export const overrides: Readonly<Record<string, Override>> = {
  setClock: { undoneBy: 'resetClock' },
  // A password's hash takes its time.
  issueTokens: { rarer: 2 },
};
