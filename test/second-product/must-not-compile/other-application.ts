import { existsIn } from '../../../lib/contract/route.ts';
import { putNote } from '../../../test/second-product/functions/notes/routes.ts';

// @ts-expect-error TS2345: Argument of type '"sleepcare"' is not assignable to parameter of type
export const isThere = existsIn(putNote, 'home', 'sleepcare');
