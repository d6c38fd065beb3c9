import { route } from '../../../lib/contract/route.ts';
import { signWith } from '../../../lib/contract/uses.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2345: Argument of type 'string' is not assignable to parameter of type 'SigningKey'
export const signing = route({ ...minimal, uses: [signWith('ReceiptKey')] });
