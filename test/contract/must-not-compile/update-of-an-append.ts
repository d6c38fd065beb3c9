import { update } from '../../../lib/runtime/rows.ts';
import { key, type Things } from './things.ts';

export const asked = (things: Things<'append'>) =>
  // @ts-expect-error TS2345: is not assignable to parameter of type
  update(things, key, { UpdateExpression: 'SET n = n' });
