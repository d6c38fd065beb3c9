export { postNotice } from './stores/notice.ts';
