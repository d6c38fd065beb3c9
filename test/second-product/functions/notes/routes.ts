import * as z from 'zod/mini';
import { Id } from '../../../../lib/contract/fields.ts';
import { route } from '../../../../lib/contract/route.ts';
import { write } from '../../../../lib/contract/uses.ts';
import { writeNotes } from './permissions.ts';
import { Notes } from './tables.ts';

export const putNote = route({
  method: 'PUT',
  path: '/notes/{noteId}',
  summary: 'Writes a note',
  applications: ['clinic'],
  environments: ['home'],
  auth: writeNotes,
  uses: [write(Notes)],
  params: z.object({ noteId: Id }),
  body: z.object({ text: z.string() }),
  response: z.object({ noteId: Id, text: z.string(), writtenBefore: z.boolean() }),
  errors: [],
});
