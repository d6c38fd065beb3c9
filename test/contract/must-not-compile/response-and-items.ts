import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2345: is not assignable to type 'undefined'
export const both = route({ ...minimal, items: minimal.response });
