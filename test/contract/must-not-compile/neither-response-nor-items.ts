import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

const { response: left, ...rest } = minimal;
// @ts-expect-error TS2345: is not assignable to parameter of type 'Route'
export const neither = route(rest);
export { left };
