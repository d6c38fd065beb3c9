import { get, putRow } from '../../../../../lib/runtime/rows.ts';
import { serve } from '../../../../../lib/runtime/serve.ts';
import { putNote } from '../routes.ts';

export const handler = serve(putNote)(async ({ params: { noteId }, body: { text }, tables }) => {
  const before = await get(tables.Notes, { noteId });
  await putRow(tables.Notes, { noteId, text });
  return { noteId, text, writtenBefore: before !== null };
});
