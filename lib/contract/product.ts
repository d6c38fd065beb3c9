import type { Settings } from './settings.ts';

/** What a product is, beside its domains. lib gets these facts as arguments, and their names by `register.ts`. */
export type Product = {
  /** What the OpenAPI document says of the whole API. */
  readonly title: string;
  readonly description: string;
  readonly applications: Readonly<Record<string, Deployment>>;
  readonly environments: Readonly<Record<string, Settings>>;
  readonly roles: RoleScopes;
  /** Raised by a release that writes rows which the one before cannot read: `deploy` then refuses to go back. */
  readonly rowFormat: number;
  /** The users who can sign in at a new local stage, and nowhere else. */
  readonly users: readonly SeededUser[];
};

/** An application's place in the addresses, and its users. */
export type Deployment = {
  /** API Gateway's stage name: the first segment of the address. */
  readonly stage: string;
  /** What the resource tree adds to the stage's name, '' or '/v1'. */
  readonly prefix: string;
  /** Both together, as in a client's address. */
  readonly basePath: string;
  /** Its users are members of staff: their rows decide the roles, and the settings decide whether they need a second factor. */
  readonly isForStaff: boolean;
  readonly sessions: SessionLifetime;
};

/** How long a session lives, in real time. Cognito takes 60 minutes to ten years. */
export type SessionLifetime = {
  /** From its sign-in. */
  readonly longestMinutes: number;
  /** From its last renewal. */
  readonly idleMinutes: number;
};

/** Where a role exists. */
export type RoleScope = {
  readonly applications: readonly string[];
  /** Absent: every environment. */
  readonly environments?: readonly string[];
  /** Of a tool's role: the one app client whose tokens have it, whoever signed in. Absent: a role of people. */
  readonly client?: string;
};

export type RoleScopes = Readonly<Record<string, RoleScope>>;

export type SeededUser = {
  readonly name: string;
  readonly application: string;
  readonly password: string;
  /** A role without a group in the template is left out. */
  readonly roles: readonly string[];
};
