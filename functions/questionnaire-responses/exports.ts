export { eraseQuestionnaireFlags } from './stores/erase-flags.ts';
