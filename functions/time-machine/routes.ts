import * as z from 'zod/mini';
import { ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Duration } from '../../lib/contract/duration.ts';
import { Instant, Timestamp } from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';
import { route } from '../../lib/contract/route.ts';
import { read, write } from '../../lib/contract/uses.ts';
import { settableTimeIn } from '../product.ts';
import { useTimeMachine } from './permissions.ts';
import { Clock } from './tables.ts';

const both = ['sleepcare', 'medinfo'] as const;

export const ClockState = z.object({
  /** The business rules' time. */
  now: Timestamp,
  /** From real time to it; negative where it was set back. */
  offsetMs: z.int(),
  isSet: z.boolean(),
});

export const ClockChange = z
  .object({ now: z.optional(Instant), advance: z.optional(Duration) })
  .check(
    z.refine(
      ({ now, advance }) => (now === undefined) !== (advance === undefined),
      issue('inconsistent', 'must have either now or advance, and not both'),
    ),
  );

export const readClock = route({
  method: 'GET',
  path: '/time-machine',
  summary: "The service's clock",
  description: 'Both applications of an environment use the same clock. `offsetMs` is how far `now` is from real time.',
  applications: both,
  environments: settableTimeIn,
  auth: useTimeMachine,
  uses: [read(Clock)],
  response: ClockState,
  errors: [],
});

export const setClock = route({
  method: 'PUT',
  path: '/time-machine',
  summary: "Sets the service's clock, or moves it",
  description:
    'Send either `now`, or `advance` by weeks, days, hours, minutes and seconds; a minus goes back. The clock ' +
    'then continues from the new time. Every business rule of every function uses the new time within a second. ' +
    'Tokens, limits, signatures and logs keep real time.' +
    ' Together: exactly one of `now` and `advance`.',
  applications: both,
  environments: settableTimeIn,
  auth: useTimeMachine,
  uses: [write(Clock)],
  body: ClockChange,
  response: ClockState,
  errors: [ValidationFailed],
});

export const resetClock = route({
  method: 'DELETE',
  path: '/time-machine',
  summary: 'Returns the service to real time',
  description: 'Idempotent.',
  applications: both,
  environments: settableTimeIn,
  auth: useTimeMachine,
  uses: [write(Clock)],
  response: ClockState,
  errors: [],
});
