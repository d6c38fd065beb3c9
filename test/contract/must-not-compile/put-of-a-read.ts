import { put } from '../../../lib/runtime/rows.ts';
import { row, type Things } from './things.ts';

export const asked = (things: Things<'read'>) =>
  // @ts-expect-error TS2345: is not assignable to parameter of type
  put(things, row);
