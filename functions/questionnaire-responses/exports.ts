export { countOpenFlags, readLatestScore } from './stores/concerns.ts';
export { eraseQuestionnaireFlags } from './stores/erase-flags.ts';
