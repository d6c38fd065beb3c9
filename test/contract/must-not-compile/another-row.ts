import { put } from '../../../lib/runtime/rows.ts';
import type { Things } from './things.ts';

export const asked = (things: Things<'append'>) =>
  // @ts-expect-error TS2322: Type 'string' is not assignable to type 'number'
  put(things, { thingId: 'x', count: 'many' });
