import { get } from '../../../lib/runtime/rows.ts';
import type { Things } from './things.ts';

export const asked = (things: Things<'get'>) =>
  // @ts-expect-error TS2769: No overload matches this call
  get(things, { thing: 'x' });
