import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { key, type Things } from './things.ts';

export const asked = (things: Things<'read'>) =>
  // @ts-expect-error TS2769: No overload matches this call
  batchGet(things, [key]);
