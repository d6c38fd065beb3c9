export { dropRun, readLastWindow, readRunsOf, readWindowRun, runKey, runOf } from './stores/run-rows.ts';
