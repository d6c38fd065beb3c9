import { check } from '../../../lib/runtime/rows.ts';
import { key, type Things } from './things.ts';

export const asked = (things: Things<'get'>) =>
  // @ts-expect-error TS2345: is not assignable to parameter of type
  check(things, key, { ConditionExpression: 'n = n' });
