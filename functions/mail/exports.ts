export { checkCode } from './stores/codes.ts';
export { mailTo } from './stores/mail-queue.ts';
