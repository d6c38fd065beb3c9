/**
 * How long a function waits for what it depends on, in milliseconds, and how often it tries. The SDK's clients have no limit by
 * default: a dependency that hangs would hang the function, which has ten seconds itself (`sizes` of lib/stack/settings.ts). No
 * limit stands anywhere else, since the local stage of the tests makes them longer (lib/local/functions/lambda.mjs).
 */

/** Three attempts of at most a second fit into the ten, even where a write is followed by a read that checks whether it took effect. */
export const callLimits = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 500, requestTimeout: 1_000, throwOnRequestTimeout: true },
} as const;

/** For reads that an app waits for at its start and can do without: one second if nothing answers, two if it is throttled. */
export const hastyLimits = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 300, requestTimeout: 450, throwOnRequestTimeout: true },
} as const;

/** Cognito takes some 100 ms to check a password, more under load. Two tries of three seconds fit into the ten. */
export const cognitoLimits = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
} as const;

/** A text of up to 10 MB takes longer than a row. Two tries still fit into the ten. */
export const objectLimits = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 500, requestTimeout: 3_500, throwOnRequestTimeout: true },
} as const;

/** One try: a mail may have been sent although its answer was lost, and the queue repeats it later. */
export const mailLimits = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
} as const;

/** All tries of a procedure together: its caller answers within its own ten seconds. The performer may go on, and finishes what it has begun. */
export const procedureMs = 7_500;

/** A procedure that may be asked again is asked a second time within `procedureMs`. */
export const repeatableLimits = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 500, requestTimeout: 4_000, throwOnRequestTimeout: true },
} as const;

/** Of a procedure whose second call would not have the result of the first, a lost answer stays lost. */
export const unrepeatableLimits = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 500, requestTimeout: procedureMs, throwOnRequestTimeout: true },
} as const;

/** One read of a time machine's row. Every function has to know a new time within a second. */
export const clockMs = 800;
/** The first one comes with the start of a function, which a busy machine slows; real time would be wrong until the next one. */
export const firstClockMs = 2_400;

/** What is done at init. After it the first request uses the database as it is. */
export const initMs = 1_000;

/** One fetch of a pool's key set; the authorizer has nine seconds. */
export const keySetMs = 2_000;

/** One push. The queue's function has twice this time, so that a hanging SNS leaves some of it for letting the claim go. */
export const publishMs = 5_000;

/**
 * All pushes of a test push: a part of the nine seconds after which the request is a 504. A device that still waits for SNS then has
 * failed, and the answer has the others.
 */
export const testPushMs = 7_000;

/** Of a command, whose user waits as long as it takes: what is lost is no answer, but the run. */
export const commandLimits = {
  maxAttempts: 5,
  requestHandler: { connectionTimeout: 10_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
} as const;
