import { permission } from '../../../lib/contract/permissions.ts';

// @ts-expect-error TS2322: Type '"nurse"' is not assignable to type
export const writeNotes = permission('notes:write', { roles: ['nurse'] });
