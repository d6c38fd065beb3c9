export {
  dropRun,
  type ListedRun,
  readLastWindow,
  readRunsOf,
  readWindowRun,
  runKey,
  runOf,
  startOf,
  windowsOf,
} from './stores/run-rows.ts';
