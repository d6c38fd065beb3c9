export { Clock } from '../../lib/contract/clock.ts';
