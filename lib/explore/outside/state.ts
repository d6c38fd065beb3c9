/** What functions reach beside the tables, as plain values. */

export type Message = {
  readonly id: string;
  readonly body: string;
  /** How often it was received. */
  readonly receives: number;
  /** Milliseconds since 1970. */
  readonly visibleAt: number;
};

type Stored = {
  readonly id: string;
  readonly body: Buffer;
  readonly contentType?: string;
  readonly at: number;
  readonly hold?: boolean;
};

export type PoolUser = {
  readonly sub: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  readonly groups: readonly string[];
  readonly status: string;
  /** Password and times at which all sessions were ended. */
  readonly password: string | null;
  readonly signedOut: number;
  /** Whether sign-in asks for a code of an authenticator app. */
  readonly hasApp?: boolean;
};

type Push = {
  readonly endpoint: string;
  readonly token: string;
  readonly message: string;
  readonly isVisible: boolean;
};

/** Lists and records of values that are replaced and never changed. */
export type OutsideState = {
  readonly queues: Record<string, Message[]>;
  readonly mails: { readonly to: string; readonly subject: string; readonly text: string }[];
  readonly pushes: Push[];
  readonly events: { readonly type: string; readonly detail: Record<string, unknown> }[];
  readonly notices: string[];
  readonly objects: Record<string, Stored[]>;
  readonly endpoints: Record<string, { readonly token: string; readonly enabled: boolean }>;
  readonly users: Record<string, PoolUser>;
  /** Cognito's refresh tokens, `<user>.<session>.1`, and whether each still renews. */
  readonly tokens: Record<string, boolean>;
  made: number;
};

export function nothingOutside(): OutsideState {
  return {
    queues: {},
    mails: [],
    pushes: [],
    events: [],
    notices: [],
    objects: {},
    endpoints: {},
    users: {},
    tokens: {},
    made: 0,
  };
}

/** A copy that later changes do not reach. */
export function copyOf(state: OutsideState): OutsideState {
  const { queues, mails, pushes, events, notices, objects, endpoints, users, tokens, made } = state;
  return {
    queues: Object.fromEntries(Object.entries(queues).map(([name, messages]) => [name, [...messages]])),
    ...{ mails: [...mails], pushes: [...pushes], events: [...events], notices: [...notices] },
    ...{ objects: { ...objects }, endpoints: { ...endpoints }, users: { ...users }, tokens: { ...tokens }, made },
  };
}

/** An error of AWS, by the name of its class in the SDK. */
export class OutsideFailure extends Error {
  constructor(name: string, message = name) {
    super(message);
    this.name = name;
  }
}

export type Input = Record<string, unknown>;
export type Act = (state: OutsideState, input: Input, now: number) => unknown;

export function text(input: Input, name: string): string {
  return String(input[name] ?? '');
}

/** An id that no other thing has. */
export function fresh(state: OutsideState, what: string): string {
  state.made += 1;
  return `${what}-${state.made}`;
}
