import { query } from '../../../lib/runtime/rows.ts';
import type { Things } from './things.ts';

export const asked = (things: Things<'get'>) =>
  // @ts-expect-error TS2769: Property 'query' is missing in type
  query(things, {});
