import { serve } from '../../../lib/runtime/serve.ts';
import { disableStaff } from '../routes.ts';
import { changedMember } from '../workflows/answer-change.ts';
import { disabling } from '../workflows/decisions.ts';

export const handler = serve(disableStaff)(async (input) => changedMember(input, input.params.staffId, disabling));
