import { ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { put } from '../../../lib/runtime/rows.ts';
import type { Things } from './things.ts';

export const asked = (things: Things<'append'>) =>
  // @ts-expect-error TS2345: Type '"conut"' is not assignable to type
  put(things, { thingId: 'x', count: 1 }, ifUnchanged({ conut: 1 }));
