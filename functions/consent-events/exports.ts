export { publishEvents } from './stores/event-bus.ts';
