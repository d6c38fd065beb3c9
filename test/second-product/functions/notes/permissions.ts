import { permission } from '../../../../lib/contract/permissions.ts';

export const writeNotes = permission('notes:write', { roles: ['nurse'] });
