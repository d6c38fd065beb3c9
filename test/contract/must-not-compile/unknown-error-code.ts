import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2322: Type 'string' is not assignable to type 'DeclaredError
export const misspelt = route({ ...minimal, errors: ['AGREEMENT_GONE'] });
