import { userPool } from '../../../lib/contract/user-pool-uses.ts';

// @ts-expect-error TS2345: Argument of type '"clinic"' is not assignable to parameter of type
export const use = userPool('read', 'clinic');
