import type { Scenario } from '../../../lib/explore/scenario.ts';
import { afterTheClosing, untilErased } from '../../erasure/explored/closing.ts';
import { admin, patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { night, overviewInvariants } from './counted.ts';

/** An erasure takes a person out of the counts while the stream tells of the rows that are gone. */

export const countedBesideErasure: Scenario = {
  name: 'counted-beside-erasure',
  domain: 'overview',
  says: 'The erasure of a patient deletes a diary of four nights while the overview hears of it, and an administrator reads.',
  setUp: (setUp) =>
    afterTheClosing(setUp, async ({ call }) => {
      for (const day of ['2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28'])
        await call(patient, 'putSleepEntry', night(day, '2026-03-01T11:00:00.000Z'));
    }),
  clients: { admin: { as: admin, does: async ({ insist }) => void (await insist('readOverview')) } },
  consumers: ['countSleepEntries'],
  schedules: { eraseAccounts: 2 },
  finally: untilErased,
  clockMoves: [60_000],
  invariants: { ...overviewInvariants, ...served('admin') },
};
