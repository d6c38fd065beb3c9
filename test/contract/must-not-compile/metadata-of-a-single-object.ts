import * as z from 'zod/mini';
import { route } from '../../../lib/contract/route.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2345: not assignable to type 'undefined'
export const single = route({ ...minimal, metadata: z.object({ unseen: z.int() }) });
