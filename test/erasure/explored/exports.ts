import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { asksForExport, exportFilesIn } from '../../personal-exports/explored/exports.ts';
import { afterTheClosing, common, isErased, untilErased } from './closing.ts';

/** Who has asked for the erasure may ask for an export until it begins. */

export const exportBesideErasure: Scenario = {
  name: 'export-beside-erasure',
  domain: 'erasure',
  says: 'A phone asks for an export at the end of the grace, and a function makes it, while runs erase the account.',
  setUp: (given) => afterTheClosing(given),
  clients: { phone: asksForExport },
  consumers: ['makeExport'],
  schedules: { eraseAccounts: 2 },
  finally: untilErased,
  clockMoves: [-3000, 60_000],
  invariants: {
    ...common,
    'no export of an erased person is left': (end) => {
      assert.ok(isErased(end));
      assert.deepEqual(exportFilesIn(end), []);
    },
  },
};
