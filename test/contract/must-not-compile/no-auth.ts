import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

const { auth: left, ...rest } = minimal;
// @ts-expect-error TS2345: Property 'auth' is missing
export const undecided = route(rest);
export { left };
