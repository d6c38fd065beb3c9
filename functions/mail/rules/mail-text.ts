import type { MailKind } from './kinds.ts';

/**
 * What a mail says. `{name}` stands for the value with that name in the mail's data; a paragraph that is only `{code}` is
 * shown large, one that is only `{link}` can be clicked.
 */
type MailText = { readonly subject: string; readonly paragraphs: readonly string[] };

/** One language: the text of each kind, and the paragraph that ends every mail, with `{sender}` and `{contact}`. */
export type MailTexts = {
  readonly ending: string;
  /** The body of a message on the agent board that has a mail's subject as its title. */
  readonly onBoard: string;
  readonly kinds: Readonly<Record<MailKind, MailText>>;
};
