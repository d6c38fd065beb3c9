import { serve } from '../../../lib/runtime/serve.ts';
import { listOwnSignIns } from '../routes.ts';
import { readSignIns } from '../stores/sign-ins.ts';

export const handler = serve(listOwnSignIns)(async ({ page, caller, tables }) => {
  // Real time, as the sign-ins have it, whatever the time machine says.
  const asked = { ...page, now: new Date() };
  const { signIns, next } = await readSignIns(tables.SignIns, caller.userId, asked);
  return { items: signIns, next };
});
