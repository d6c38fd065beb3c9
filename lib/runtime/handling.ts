/** The handling of any route, for the code around it. */
export type AnyHandling = ((input: never) => Promise<unknown>) | AnySteps;

export type AnySteps = {
  readonly read: (asked: never) => Promise<unknown>;
  readonly answer: (input: never, found: never) => Promise<unknown>;
};
