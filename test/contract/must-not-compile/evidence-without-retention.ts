import { AgreementContents } from '../../../functions/agreements/buckets.ts';
import { logTo } from '../../../lib/contract/bucket-uses.ts';
import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2345: Type '"legal-hold"' is not assignable to type '"retention"'
export const logging = route({ ...minimal, uses: [logTo(AgreementContents, 'things/')] });
