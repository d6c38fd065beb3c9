import { call } from '../../../lib/runtime/procedures.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { ReplacePassword } from '../procedures.ts';
import { resetPassword } from '../routes.ts';

export const handler = serve(resetPassword)(({ body, procedures, sourceIp }) =>
  call(procedures.ReplacePassword, ReplacePassword, { ...body, sourceIp }),
);
