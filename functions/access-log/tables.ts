export { AccessLog } from '../../lib/contract/access.ts';
