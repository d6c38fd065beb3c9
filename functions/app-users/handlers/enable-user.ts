import { serve } from '../../../lib/runtime/serve.ts';
import { enableUser } from '../routes.ts';
import { setStatus } from '../workflows/administer-user.ts';

export const handler = serve(enableUser)(async (input) => setStatus(input, input.params.userId, 'active'));
