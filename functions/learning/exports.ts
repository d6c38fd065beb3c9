export { readAllProgress } from './stores/progress-rows.ts';
