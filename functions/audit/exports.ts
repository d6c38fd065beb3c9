export { audited, auditPut } from './stores/audited.ts';
export { type Replacement, replaceVersioned, type Versioned } from './stores/replace-versioned.ts';
export { writeEvent } from './stores/write-event.ts';
