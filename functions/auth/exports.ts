export { forgetCodes, forgottenCodes } from './stores/recovery-codes.ts';
export { endOtherSessions } from './stores/session-ends.ts';
export { endAllSessions, endInPoolAndList, isSessionLeft } from './stores/sessions.ts';
export { forgetTries, tryCounted } from './stores/sign-in-tries.ts';
