export { checkCode } from './stores/codes.ts';
export { linkPassword } from './stores/link-password.ts';
export { linkPasswordOf, mailLinkTo, mailTo, noticeId, timeToTell } from './stores/mail-queue.ts';
export { holdAddress, inTurn, openSecureToken, readAccountActs, type Turn } from './stores/secure-links.ts';
