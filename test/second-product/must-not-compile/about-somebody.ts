import * as z from 'zod/mini';
import { permission } from '../../../lib/contract/permissions.ts';
import { route } from '../../../lib/contract/route.ts';

const readNotes = permission('notes:read', { roles: ['nurse'] });

export const readNoteOf = route({
  method: 'GET',
  path: '/notes',
  summary: 'A note of somebody, in a product that has no rules for that',
  applications: ['clinic'],
  auth: readNotes,
  // @ts-expect-error TS2322: Type 'string' is not assignable to type 'undefined'
  dataSubject: 'somebody',
  response: z.object({}),
  errors: [],
});
