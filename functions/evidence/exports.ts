export { type Operators, tellFindings } from './stores/operators.ts';
export {
  changeIn,
  type Reporting,
  reportTampering,
  type Tampering,
  type WatchedTable,
} from './stores/tampering.ts';
export { reportingOf, type WatchedAppends, watchAppends } from './stores/watch-appended.ts';
