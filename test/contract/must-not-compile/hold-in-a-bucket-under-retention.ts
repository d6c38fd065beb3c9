import { Evidence } from '../../../functions/evidence/buckets.ts';
import { holdIn } from '../../../lib/contract/bucket-uses.ts';
import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2345: Type '"retention"' is not assignable to type '"legal-hold"'
export const held = route({ ...minimal, uses: [holdIn(Evidence)] });
