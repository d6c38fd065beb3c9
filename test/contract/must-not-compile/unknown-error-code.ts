import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2322: '"AGREEMENT_GONE"' is not assignable
export const misspelt = route({ ...minimal, errors: ['AGREEMENT_GONE'] });
