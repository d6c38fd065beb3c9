export { readAllMessages } from './stores/exported-messages.ts';
export { noticeItems, postNotice } from './stores/notice.ts';
