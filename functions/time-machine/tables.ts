import { clock } from '../../lib/contract/clock.ts';
import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import { settableTimeIn } from '../product.ts';
import type { ClockRow } from './rules/clock.ts';

/** One row: how far the time of the business rules is moved. */
export const Clock = table<ClockRow>()(clock.name, { partitionKey: clock.partitionKey, environments: settableTimeIn });
export type Clock<A extends Action> = Handle<typeof Clock, A>;
