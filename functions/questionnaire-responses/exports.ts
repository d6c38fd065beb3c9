export { readLatestScored, readScoreVersions } from './stores/concerns.ts';
export { eraseQuestionnaireFlags } from './stores/erase-flags.ts';
export { readAllFlags } from './stores/exported-flags.ts';
export { readAllResponses } from './stores/exported-responses.ts';
export { readFlagState } from './stores/flag-rows.ts';
export { claimOf, hasCompleted, readClaims, readCompleted, readResponse } from './stores/response-rows.ts';
