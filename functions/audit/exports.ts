export { audited } from './stores/audited.ts';
export { type Replacement, type Revised, readRevised, replaceRevised } from './stores/replace-revised.ts';
export { writeEvent } from './stores/write-event.ts';
