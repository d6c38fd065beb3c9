export {
  dropRun,
  type ListedRun,
  readLastWindow,
  readRunsOf,
  readWindowRun,
  runKey,
  runOf,
  windowsOf,
} from './stores/run-rows.ts';
