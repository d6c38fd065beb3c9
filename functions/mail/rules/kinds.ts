/** The mails that are sent: which of them carry a code, to whom they go, and what their texts say. Data, so that a new kind is a line and a text. */

export type CodeDeclaration = {
  /** How many, each 0 to 9. */
  readonly digits: number;
  readonly lifetimeSeconds: number;
};

export type MailKindDeclaration = {
  /**
   * Who gets it. `anyone`: whom the mail names. `account`: an address is written to only where an account of the sleep-care app has it.
   * `stranger`: only where none has it. What the requester was answered says nothing of it.
   */
  readonly to: 'anyone' | 'account' | 'stranger';
  /** What an address gets that `to` leaves out; absent: nothing. */
  readonly otherwise?: string;
  /** The mail carries a code, which `checkCode` knows under the name of the kind. */
  readonly code?: CodeDeclaration;
  /** The kind under whose name `checkCode` knows the code instead: the latest mail of both has the code that works. */
  readonly codeOf?: string;
  /** Anybody can ask for it with somebody else's address: at most five an hour go to an address, together with the others of that sort. */
  readonly isLimited?: true;
  /** What its texts name: `{inviter}` stands for `data.inviter`. Plain text, which is escaped. */
  readonly data: readonly string[];
};

/** Three days and five tries: two digits more than what lives for minutes. */
const eightDigits: CodeDeclaration = { digits: 8, lifetimeSeconds: 3 * 86_400 };
const sixDigits: CodeDeclaration = { digits: 6, lifetimeSeconds: 15 * 60 };

export const mailKinds = {
  'sign-up': { to: 'stranger', otherwise: 'sign-up-known', code: sixDigits, isLimited: true, data: [] },
  'sign-up-known': { to: 'account', isLimited: true, data: [] },
  'password-reset': { to: 'account', code: sixDigits, isLimited: true, data: [] },
  'password-changed': { to: 'anyone', data: [] },
  'email-change': { to: 'stranger', otherwise: 'email-change-taken', code: sixDigits, isLimited: true, data: [] },
  'email-change-taken': { to: 'account', isLimited: true, data: [] },
  'email-changed': { to: 'anyone', data: [] },
  'new-device': { to: 'anyone', data: ['device'] },
  'second-factor-changed': { to: 'anyone', data: [] },
  'recovery-codes-issued': { to: 'anyone', data: [] },
  'recovery-code-used': { to: 'anyone', data: ['left'] },
  'staff-invitation': { to: 'anyone', code: eightDigits, data: [] },
  'staff-reset': { to: 'anyone', code: eightDigits, codeOf: 'staff-invitation', data: [] },
} as const satisfies Readonly<Record<string, MailKindDeclaration>>;

export type MailKind = keyof typeof mailKinds;

/** Those that carry a code. */
export type CodeKind = {
  [K in MailKind]: (typeof mailKinds)[K] extends { code: CodeDeclaration } ? K : never;
}[MailKind];

/** A user's own address, as the profile has it when the mail is sent, or the address itself. */
export type Recipient = { readonly userId: string } | { readonly email: string };

/** What a mail is enqueued as. */
export type Mail<K extends MailKind = MailKind> = {
  readonly kind: K;
  readonly application: 'sleepcare' | 'medinfo';
  readonly to: Recipient;
  /** BCP 47; null: the profile's, else English. */
  readonly locale: string | null;
  readonly data: { readonly [F in (typeof mailKinds)[K]['data'][number]]: string };
  /** What is kept beside the code and handed out by `checkCode`; nothing secret. */
  readonly keep?: Readonly<Record<string, string>>;
};

/** A mail in the queue. */
export type QueuedMail = Mail & {
  /** The same mail that comes twice is sent once, with the same code. */
  readonly mailId: string;
};

export function kindNamed(name: MailKind): MailKindDeclaration {
  return mailKinds[name];
}
