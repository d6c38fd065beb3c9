import type { MailKind } from './kinds.ts';

/**
 * What a mail says. `{name}` stands for the value with that name in the mail's data; a paragraph that is only `{code}` is
 * shown large.
 */
export type MailText = { readonly subject: string; readonly paragraphs: readonly string[] };

/** Of each kind, in one language. */
export type MailTexts = Readonly<Record<MailKind, MailText>>;
