export { readAllMessages } from './stores/exported-messages.ts';
export { postNotice } from './stores/notice.ts';
