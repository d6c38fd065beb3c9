export { begunAtOf } from './stores/erasure-evidence.ts';
export { isHeld } from './stores/hold-rows.ts';
export { erasureNotBegun } from './stores/not-begun.ts';
