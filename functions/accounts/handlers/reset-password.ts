import { call } from '../../../lib/runtime/procedures.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { ReplacePassword } from '../procedures.ts';
import { resetPassword } from '../routes.ts';

export const handler = serveWithoutTables(resetPassword)(({ body, procedures, sourceIp }) =>
  call(procedures.ReplacePassword, ReplacePassword, { ...body, sourceIp }),
);
