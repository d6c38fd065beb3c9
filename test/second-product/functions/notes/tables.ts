import { table } from '../../../../lib/contract/tables.ts';

export const Notes = table()('Notes', { partitionKey: 'noteId' });
