export { AccessLog } from '../access/data-subject.ts';
