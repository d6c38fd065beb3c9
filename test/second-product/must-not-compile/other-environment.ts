import { table } from '../../../lib/contract/tables.ts';

// @ts-expect-error TS2322: Type '"dev"' is not assignable to type '"home"'
export const Notes = table()('Notes', { partitionKey: 'noteId', environments: ['dev'] });
