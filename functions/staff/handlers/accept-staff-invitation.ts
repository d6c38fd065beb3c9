import { call } from '../../../lib/runtime/procedures.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { AcceptInvitation } from '../procedures.ts';
import { acceptStaffInvitation } from '../routes.ts';

export const handler = serve(acceptStaffInvitation)(({ body, procedures, requestId }) =>
  call(procedures.AcceptInvitation, AcceptInvitation, { ...body, requestId }),
);
