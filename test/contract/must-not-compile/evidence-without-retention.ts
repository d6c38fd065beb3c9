import { AgreementContents } from '../../../functions/agreements/buckets.ts';
import { route } from '../../../lib/contract/route.ts';
import { logTo } from '../../../lib/contract/uses.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2345: Type '"legal-hold"' is not assignable to type '"retention"'
export const logging = route({ ...minimal, uses: [logTo(AgreementContents, 'things/')] });
