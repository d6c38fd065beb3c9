export { erasureNotBegun } from './stores/not-begun.ts';
export { begunAtOf } from './stores/erasure-evidence.ts';
