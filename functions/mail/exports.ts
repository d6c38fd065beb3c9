export type { Mail, MailKind } from './rules/kinds.ts';
export { mailTo } from './stores/mail-queue.ts';
export { type CodePlace, checkCode } from './workflows/check-code.ts';
