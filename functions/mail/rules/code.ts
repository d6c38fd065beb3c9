/** The latest code of a kind that an address got. */
export type CodeRow = {
  mailRecord: string;
  mailId: string;
  /** Keyed, and valid only for this row. */
  codeHash: string;
  /** Of a mail with a link: the hash of its token, keyed in the same way. */
  tokenHash?: string;
  /** Of a mail with a link: when it was asked for. ISO 8601; real time. */
  askedAt?: string;
  triesLeft: number;
  /** ISO 8601; real time. */
  validUntil: string;
  keep: Readonly<Record<string, string>>;
  /** Of a sign-up: the account that the code makes, noted before anybody can sign in to it. */
  enrolled?: string;
  /** Seconds since 1970. */
  expiresAt: number;
};

export const mostTries = 5;

/** Two spellings of one address are one: the pools tell none of them apart by case. */
export function addressOf(application: string, email: string): string {
  return `${application}#${email.normalize('NFC').toLowerCase()}`;
}
