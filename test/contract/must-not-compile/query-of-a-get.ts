import { query } from '../../../lib/runtime/rows.ts';
import type { Things } from './things.ts';

export const asked = (things: Things<'get'>) =>
  // @ts-expect-error TS2345: is not assignable to parameter of type
  query(things, {});
