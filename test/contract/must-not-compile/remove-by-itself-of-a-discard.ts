import { removeRow } from '../../../lib/runtime/rows.ts';
import { key, type Things } from './things.ts';

export const asked = (things: Things<'discard'>) =>
  // @ts-expect-error TS2345: is not assignable to parameter of type
  removeRow(things, key);
