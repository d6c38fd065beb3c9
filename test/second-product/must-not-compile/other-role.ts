import { permission } from '../../../lib/contract/permissions.ts';

// @ts-expect-error TS2322: Type '"physician"' is not assignable to type '"nurse"'
export const writeNotes = permission('notes:write', { roles: ['physician'] });
