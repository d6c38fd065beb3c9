export { readAllMessages } from './stores/exported-messages.ts';
