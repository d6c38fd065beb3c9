import { call } from '../../../lib/runtime/procedures.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { EnrolUser } from '../procedures.ts';
import { verifySignUp } from '../routes.ts';

export const handler = serve(verifySignUp)(({ body, procedures }) => call(procedures.EnrolUser, EnrolUser, body));
