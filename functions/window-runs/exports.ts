export {
  dropRun,
  type ListedRun,
  readLastWindow,
  readRunsOf,
  readWindowRun,
  runKey,
  runOf,
} from './stores/run-rows.ts';
