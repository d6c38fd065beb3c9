import { serve } from '../../../lib/runtime/serve.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { enableStaff } from '../routes.ts';
import { changedMember } from '../workflows/answer-change.ts';
import { enabling } from '../workflows/decisions.ts';

export const handler = serve(
  enableStaff,
  lambdaWithAccess,
)(async (input) => changedMember(input, input.params.staffId, enabling));
