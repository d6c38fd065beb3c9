export { CareRelations, Staff } from '../../lib/contract/access.ts';
