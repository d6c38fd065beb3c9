export { erasureNotBegun } from './stores/not-begun.ts';
