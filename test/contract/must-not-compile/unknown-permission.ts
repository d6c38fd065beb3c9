import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2322: '"thoughts:read"' is not assignable
export const misspelt = route({ ...minimal, auth: 'thoughts:read' });
