import { call } from '../../../lib/runtime/procedures.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { EnrolUser } from '../procedures.ts';
import { verifySignUp } from '../routes.ts';

export const handler = serveWithoutTables(verifySignUp)(({ body, procedures }) =>
  call(procedures.EnrolUser, EnrolUser, body),
);
