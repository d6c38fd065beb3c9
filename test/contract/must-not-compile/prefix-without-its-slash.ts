import { Evidence } from '../../../functions/evidence/buckets.ts';
import { appendTo } from '../../../lib/contract/bucket-uses.ts';
import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2345: '"things"' is not assignable to parameter of type '`${string}/`'
export const wide = route({ ...minimal, uses: [appendTo(Evidence, 'things')] });
