import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { rename } from './example.ts';

// @ts-expect-error TS2345: is not assignable to parameter of type
export const answering = serveWithoutTables(rename);
