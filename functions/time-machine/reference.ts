import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';
import { ClockChange } from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'The clock of an environment, for tests that depend on time. Production has none.',
  schemas: [[ClockChange, { description: 'Exactly one of the two.', minProperties: 1, maxProperties: 1 }]],
  examples: {
    readClock: { answer: { now: '2026-11-22T07:14:09.305Z', offsetMs: 0, isSet: false } },
    setClock: {
      body: { advance: 'PT8H' },
      answer: { now: '2026-11-22T15:14:09.611Z', offsetMs: 28800000, isSet: true },
    },
    resetClock: { answer: { now: '2026-11-22T07:14:09.958Z', offsetMs: 0, isSet: false } },
  },
};
