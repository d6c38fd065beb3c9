export { AccessLog } from '../access/about.ts';
