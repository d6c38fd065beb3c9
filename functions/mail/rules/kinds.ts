import { formerAddressSeconds, secureSeconds } from './secure-link.ts';

/** The mails that are sent: which of them carry a code, to whom they go, and what their texts say. Data, so that a new kind is a line and a text. */

export type CodeDeclaration = {
  /** How many, each 0 to 9. */
  readonly digits: number;
  readonly lifetimeSeconds: number;
};

type SecureDeclaration = {
  readonly lifetimeSeconds: number;
  /** It also gives the account back the address that the mail went to. */
  readonly restoresAddress?: true;
};

export type MailKindDeclaration = {
  /**
   * Who gets it. `anyone`: whom the mail names. `account`: an address is written to only where an account of the application has it, for staff an active one.
   * `stranger`: only where none has it. What the requester was answered says nothing of it.
   */
  readonly to: 'anyone' | 'account' | 'stranger';
  /** What an address gets that `to` leaves out; absent: nothing. */
  readonly otherwise?: string;
  /** What an address gets instead that another account had until some days ago (`holdAddress`). Absent: the same mail. */
  readonly whenHeld?: string;
  /** What an address gets instead whose account is disabled; it has no code. Absent: the same mail. */
  readonly whenDisabled?: string;
  /** The mail carries a code, which `checkCode` knows under the name of the kind. */
  readonly code?: CodeDeclaration;
  /** The kind under whose name `checkCode` knows the code instead: the latest mail of both has the code that works. */
  readonly codeOf?: string;
  /** The mail does not carry the code: it has a link with a token. The code goes another way (`mailLinkTo`), and `checkCode` asks for both. */
  readonly isLink?: true;
  /** Anybody can ask for it with somebody else's address: at most five an hour go to an address, together with the others of that sort. */
  readonly isLimited?: true;
  /** It has a link with which the recipient says "this was not me" (`secure-link.ts`). */
  readonly secures?: SecureDeclaration;
  /** What its texts name: `{inviter}` stands for `data.inviter`. Plain text, which is escaped. */
  readonly data: readonly string[];
  /** Those of its data that may be missing: a paragraph that names one is left out. */
  readonly optional?: readonly string[];
  /** Those of its data that are times, in ISO 8601: its texts say them as people read them. */
  readonly times?: readonly string[];
};

/** A day and five tries: two digits more than what lives for minutes. */
export const eightDigits: CodeDeclaration = { digits: 8, lifetimeSeconds: 86_400 };
const sixDigits: CodeDeclaration = { digits: 6, lifetimeSeconds: 10 * 60 };

const secures: SecureDeclaration = { lifetimeSeconds: secureSeconds };

export const mailKinds = {
  'sign-up': {
    to: 'stranger',
    otherwise: 'sign-up-known',
    whenHeld: 'address-held',
    code: sixDigits,
    isLimited: true,
    data: [],
  },
  'address-held': { to: 'stranger', isLimited: true, data: [] },
  'sign-up-known': { to: 'account', isLimited: true, data: [] },
  'password-reset': {
    to: 'account',
    whenDisabled: 'password-reset-disabled',
    code: sixDigits,
    isLimited: true,
    data: [],
  },
  'password-reset-disabled': { to: 'account', isLimited: true, data: [] },
  'password-changed': { to: 'anyone', secures, data: [] },
  'email-change': {
    to: 'stranger',
    otherwise: 'email-change-taken',
    whenHeld: 'address-held',
    code: sixDigits,
    isLimited: true,
    data: [],
  },
  'email-change-taken': { to: 'account', isLimited: true, data: [] },
  'email-changed': {
    to: 'anyone',
    secures: { lifetimeSeconds: formerAddressSeconds, restoresAddress: true },
    data: [],
  },
  'address-restored': { to: 'anyone', data: [] },
  'account-secured': { to: 'anyone', data: [] },
  'new-device': { to: 'anyone', secures, data: ['device', 'at'], times: ['at'] },
  'codes-refused': { to: 'anyone', secures, data: ['at'], times: ['at'] },
  'session-reused': { to: 'anyone', secures, data: ['device', 'at'], times: ['at'] },
  'second-factor-changed': { to: 'anyone', secures, data: [] },
  'recovery-codes-issued': { to: 'anyone', secures, data: [] },
  'rights-given': { to: 'anyone', secures, data: ['member', 'roles'] },
  'recovery-code-used': { to: 'anyone', secures, data: ['left'] },
  'data-shared': { to: 'anyone', data: ['at'], times: ['at'] },
  'study-joined': { to: 'anyone', data: ['at'], times: ['at'] },
  'deletion-requested': { to: 'anyone', data: ['until'], times: ['until'] },
  'deletion-requested-for-you': { to: 'anyone', data: ['until'], times: ['until'] },
  'deletion-taken-back': { to: 'anyone', secures, data: [] },
  'account-disabled': { to: 'anyone', data: [] },
  'account-enabled': { to: 'anyone', data: [] },
  'staff-invitation': {
    to: 'anyone',
    code: eightDigits,
    isLink: true,
    data: [],
    optional: ['inviter', 'clinic'],
  },
  'staff-reset': {
    to: 'anyone',
    code: eightDigits,
    codeOf: 'staff-invitation',
    isLink: true,
    data: [],
    optional: ['inviter'],
  },
} as const satisfies Readonly<Record<string, MailKindDeclaration>>;

export type MailKind = keyof typeof mailKinds;

/** Those with a link. */
export type LinkKind = {
  [K in MailKind]: (typeof mailKinds)[K] extends { isLink: true } ? K : never;
}[MailKind];

/** Those that carry a code. */
export type CodeKind = {
  [K in MailKind]: (typeof mailKinds)[K] extends { code: CodeDeclaration } ? K : never;
}[MailKind];

/** Those with a link that says "this was not me". */
type SecuringKind = {
  [K in MailKind]: (typeof mailKinds)[K] extends { secures: SecureDeclaration } ? K : never;
}[MailKind];

/** About a user. Without `email` it goes to the user's own address, as the user pool (of staff: `StaffAccounts`) has it when the mail is sent. */
type OfUser = { readonly userId: string; readonly email?: string };

type Recipient = OfUser | { readonly email: string };

type OptionalOf<K extends MailKind> = (typeof mailKinds)[K] extends { optional: readonly (infer F extends string)[] }
  ? F
  : never;

/** What a mail is enqueued as. */
export type Mail<K extends MailKind = MailKind> = {
  readonly kind: K;
  readonly application: 'sleepcare' | 'medinfo';
  readonly to: K extends SecuringKind ? OfUser : Recipient;
  /** BCP 47; null: the profile's, else English. */
  readonly locale: string | null;
  readonly data: { readonly [F in (typeof mailKinds)[K]['data'][number]]: string } & {
    readonly [F in OptionalOf<K>]?: string;
  };
  /** What is kept beside the code and handed out by `checkCode`; nothing secret. */
  readonly keep?: Readonly<Record<string, string>>;
};

/** A mail in the queue. */
export type QueuedMail = Mail & {
  /** The same mail that comes twice is sent once, with the same code. */
  readonly mailId: string;
  /** Of a mail with a link: ISO 8601; real time. The code was answered then, so its time runs from then, and a mail that comes late replaces no later one. */
  readonly askedAt?: string;
  /** Of a mail with a link: the id of the key that drew its code. */
  readonly keyId?: string;
};

export function kindNamed(name: MailKind): MailKindDeclaration {
  return mailKinds[name];
}
