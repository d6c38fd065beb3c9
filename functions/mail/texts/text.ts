import type { MailKind } from '../rules/kinds.ts';

/** What a mail says. `{name}` stands for what the mail's data call so; a paragraph that is `{code}` alone is shown large. */
export type MailText = { readonly subject: string; readonly paragraphs: readonly string[] };

/** Of each kind, in one language. */
export type MailTexts = Readonly<Record<MailKind, MailText>>;
