import { scanEach } from '../../../lib/runtime/scan-each.ts';
import type { Things } from './things.ts';

export const asked = (things: Things<'read'>) =>
  // @ts-expect-error TS2769: No overload matches this call
  scanEach(things);
