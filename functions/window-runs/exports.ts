export {
  dropRun,
  type LastRead,
  longestNumber,
  mostWindows,
  readLastWindow,
  readRunsOf,
  readWindowRun,
  runKey,
  runOf,
} from './stores/run-rows.ts';
