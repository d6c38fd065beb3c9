import { call } from '../../../lib/runtime/procedures.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { AcceptInvitation } from '../procedures.ts';
import { acceptStaffInvitation } from '../routes.ts';

export const handler = serveWithoutTables(acceptStaffInvitation)(({ body, procedures, requestId }) =>
  call(procedures.AcceptInvitation, AcceptInvitation, { ...body, requestId }),
);
