import { table } from '../../../lib/contract/tables.ts';

// @ts-expect-error TS2322: Type '"home"' is not assignable to type
export const Notes = table()('Notes', { partitionKey: 'noteId', environments: ['home'] });
