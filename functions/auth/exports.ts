export { endSignInsUnderWay } from './stores/ended-sessions.ts';
export { forgetCodes, forgottenCodes, issueCodes } from './stores/recovery-codes.ts';
export { endOtherSessions } from './stores/session-ends.ts';
export { type EndingTables, endAllSessions, endInPoolAndList } from './stores/sessions.ts';
export { logged } from './stores/sign-in-log.ts';
export { codeCounted, forgetTries, tryCounted } from './stores/sign-in-tries.ts';
export { readSignIns } from './stores/sign-ins.ts';
export { tellingOfCodes } from './stores/tell-of-codes.ts';
export { answerNewPassword, revoke, sendCode, signIn } from './stores/user-pool.ts';
