import { Evidence } from '../../../functions/evidence/buckets.ts';
import { uploadTo } from '../../../lib/contract/bucket-uses.ts';
import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2345: Property 'isUploadedTo' is missing
export const open = route({ ...minimal, uses: [uploadTo(Evidence)] });
