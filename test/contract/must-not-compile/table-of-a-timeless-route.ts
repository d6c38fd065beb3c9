import { serveTimeless } from '../../../lib/runtime/serve-timeless.ts';
import { rename } from './example.ts';

// @ts-expect-error TS2345: is not assignable to parameter of type
export const answering = serveTimeless(rename);
