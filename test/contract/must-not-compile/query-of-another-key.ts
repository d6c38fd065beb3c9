import { inPartition } from '../../../lib/runtime/key-range.ts';
import { query } from '../../../lib/runtime/rows.ts';
import type { Things } from './things.ts';

export const asked = (things: Things<'read'>) =>
  // @ts-expect-error TS2769: correct the key, or give the kind of row as a type argument
  query(things, inPartition({ nope: 'x' }));
