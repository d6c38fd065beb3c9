import { route } from '../../../lib/contract/route.ts';
import { read } from '../../../lib/contract/uses.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2345: Argument of type 'string' is not assignable to parameter of type 'Table'
export const misspelt = route({ ...minimal, uses: [read('Consents')] });
