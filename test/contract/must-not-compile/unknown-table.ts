import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2353: 'Consents' does not exist
export const misspelt = route({ ...minimal, uses: { Consents: 'read' } });
