export { SignInLocked } from './errors.ts';
export { sessionIn } from './rules/token-session.ts';
export { endAllSessions } from './stores/sessions.ts';
export { forgetTries, takeSignInTry } from './stores/tries.ts';
export { endOtherSessions } from './workflows/end-session.ts';
