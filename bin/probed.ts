import type { ProbePaths } from '../lib/stack/probe-paths.ts';
import type { AthenaAnswers } from './analytics/sample-answers.ts';

/** The result of one call; `status` is 0 if there was no answer. */
export type Metered = { readonly status: number; readonly refusedBy: string | null };

/** The results of the two probe stacks that the checks need. If AWS refuses a call, the result is the error's name. */
export type Probed = {
  readonly paths: ProbePaths;
  readonly fetch: (
    path: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<{ status: number; body: unknown }>;
  /** Makes this number of calls at once, with a token. Each call is tried once. */
  readonly burst: (path: string, calls: number) => Promise<readonly Metered[]>;
  /** Waits until the web ACL no longer counts the earlier calls. */
  readonly firewallsMinute: () => Promise<void>;
  readonly invoke: (payload: object) => Promise<Readonly<Record<string, unknown>>>;
  /** KMS's answers to the function for its own encryption context, and for that of another function. */
  readonly decrypted: () => Promise<{ readonly own: unknown; readonly other: unknown }>;
  /** Each is `done` or the name of the refusal. */
  readonly ledger: {
    readonly put: () => Promise<string>;
    readonly putInTransaction: () => Promise<string>;
    /** The same put with an expiry. TTL would then delete the record that it replaced. */
    readonly putExpiringInTransaction: () => Promise<string>;
    readonly update: () => Promise<string>;
    readonly remove: () => Promise<string>;
  };
  /** Puts to a bucket with the policy of evidence; each is `done` or the name of the refusal. */
  readonly evidence: {
    readonly put: () => Promise<string>;
    readonly putToArchive: () => Promise<string>;
    readonly putUnderOwnKey: () => Promise<string>;
    readonly beginInParts: () => Promise<string>;
  };
  readonly cognito: {
    readonly writeAttributes: () => Promise<readonly string[]>;
    /** Signs in with the user's password. @returns the name of the challenge, `signed in`, or a refusal */
    readonly signIn: (username: string) => Promise<string>;
    /** The results of a sign-in, and of the first and second renewal with the same refresh token. */
    readonly renew: () => Promise<readonly string[]>;
    readonly revokeText: () => Promise<string>;
    /** After a revocation: the results of a renewal, and of the same revocation again. */
    readonly renewAfterRevoking: () => Promise<{ readonly renewal: string; readonly again: string }>;
    /** The result of the right code after a wrong code in the same session. */
    readonly rightCodeAfterWrong: () => Promise<string>;
    /** Of the codes of the app from two steps ago to two steps ahead, those that sign in: 0 is the present one. */
    readonly windowOfCodes: () => Promise<readonly number[]>;
    /** What Cognito says of a disabled user to the right password, and to a wrong one. */
    readonly disabledUser: () => Promise<readonly string[]>;
    /** The challenge after a temporary password. */
    readonly temporaryPassword: () => Promise<string>;
    /**
     * Of a sign-in, of its renewal, and of a sign-in with the client that keeps the scope: the claim `scope` (null: absent), and the results of
     * `GetUser` with the token. And the first token's groups.
     */
    readonly scopes: () => Promise<{
      readonly scopes: readonly unknown[];
      readonly groups: unknown;
      readonly looks: readonly string[];
    }>;
    /** The results of a renewal whose trigger fails, and of the next renewal with the same token. */
    readonly failingTrigger: () => Promise<readonly string[]>;
    /** The result of the first code of an app whose secret was shown under another token, which was revoked. */
    readonly appOfTwoTokens: () => Promise<string>;
    /** The result of the public `RespondToAuthChallenge` with the session of an `AdminInitiateAuth`. */
    readonly publicAnswerToAdminChallenge: () => Promise<string>;
    /** The result of each public operation that asks for no access token, and of each public flow of a sign-in, by its name. */
    readonly publicOperations: () => Promise<Readonly<Record<string, string>>>;
    /** For a user with an authenticator app: the results of its deletion, of a second deletion, and of the next sign-in. */
    readonly deleteApp: () => Promise<readonly string[]>;
  };
  /** Makes the views over a sample, and runs the questions. For each question: its rows, or Athena's error. */
  readonly askAthena: () => Promise<AthenaAnswers>;
  readonly webAclOfStage: () => Promise<string | null>;
  /** Replaces the table, deploys the API's unchanged template, and resolves with the name that the function had, has and should have. */
  readonly followReplacement: () => Promise<{
    readonly before: unknown;
    readonly has: unknown;
    readonly should: string;
  }>;
  /** Deploys the API with a new deployment. */
  readonly redeploy: () => Promise<void>;
};

export type Verdict = { readonly holds: boolean; readonly found: string };
