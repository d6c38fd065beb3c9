export { begunAtOf } from './stores/erasure-evidence.ts';
export { erasureNotBegun } from './stores/not-begun.ts';
