export { eraseQuestionnaireFlags } from './stores/erase-flags.ts';
export { readAllFlags } from './stores/exported-flags.ts';
export { claimOf, hasCompleted, readClaims } from './stores/response-rows.ts';
