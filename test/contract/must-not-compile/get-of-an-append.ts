import { get } from '../../../lib/runtime/rows.ts';
import { key, type Things } from './things.ts';

export const asked = (things: Things<'append'>) =>
  // @ts-expect-error TS2769: No overload matches this call
  get(things, key);
