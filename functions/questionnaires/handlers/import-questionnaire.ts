import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { importQuestionnaire } from '../routes.ts';
import { readImported } from '../stores/imported-definition.ts';

export const handler = serve(importQuestionnaire)(async ({ body, fail }) => {
  const read = readImported(body.resource);
  return read.issues ? fail(ValidationFailed, { issues: read.issues }) : { ...read, notes: [...read.notes] };
});
