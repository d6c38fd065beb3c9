export type { Mail, MailKind } from './rules/kinds.ts';
export { mailTo } from './stores/mail-queue.ts';
export { checkCode, type CodePlace } from './workflows/check-code.ts';
