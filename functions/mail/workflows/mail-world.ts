import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import type { MailKind, QueuedMail } from '../rules/kinds.ts';
import type { MailRecords } from '../tables.ts';

/** What the delivery of a mail needs of other domains and services. */

export type MailWorld = {
  readonly table: MailRecords<'get' | 'put' | 'updateRow'>;
  readonly secret: KeyRing;
  /** The address of the page that a mail's link opens. */
  readonly invitationPage: string;
  /** The same for a link that says "this was not me". */
  readonly secureAccountPage: string;
  readonly now: () => Date;
  /** Null where the user has no address, or is there no more. */
  readonly addressee: (userId: string) => Promise<Addressee | null>;
  /** The last invitation of a member of staff who has not accepted it; null: there is none. */
  readonly invited: (staffId: string) => Promise<{ readonly mailId: string; readonly email: string } | null>;
  /** The account of the application that has the address; null: none, or of the staff a disabled one. */
  readonly accountWith: (
    application: QueuedMail['application'],
    email: string,
  ) => Promise<{ isDisabled: boolean } | null>;
  /** The language of the account that has the address; null where none is known. */
  readonly localeOf: (application: QueuedMail['application'], email: string) => Promise<string | null>;
  /** Posts a message about the mail on the user's agent board. It may be called again for the same mail. */
  readonly notify: (notice: PhoneNotice) => Promise<void>;
  readonly send: (mail: Ready) => Promise<void>;
};

export type PhoneNotice = {
  readonly mailId: string;
  readonly userId: string;
  readonly kind: MailKind;
  readonly locale: string | null;
  /** When it happened, or if the mail does not say it, now: a phone that was registered later is perhaps not the owner's. ISO 8601 */
  readonly at: string;
};

export type Addressee = { email: string; locale: string | null; timeZone: string | null };

/** A mail whose text can be written. */
type Ready = {
  readonly kind: MailKind;
  readonly email: string;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly values: Readonly<Record<string, string>>;
  readonly application: QueuedMail['application'];
};
