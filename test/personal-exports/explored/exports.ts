import assert from 'node:assert/strict';
import { asked, type PersonalExport, perDay } from '../../../functions/personal-exports/rules/export.ts';
import type { Client, End, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { inThePool } from '../../auth/explored/people.ts';
import { patient } from '../../explorer/people.ts';

/** A person's data as a ZIP, which two phones ask for at once. */

export const asksForExport = { as: patient, does: async ({ insist }: Client) => void (await insist('requestExport')) };

/** The keys of what lies in the bucket, below the person's prefix. */
export function exportFilesIn({ outside }: End): string[] {
  const prefix = `PersonalExportFiles/${patient.userId}/`;
  return Object.keys(outside.objects).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
}

let before: PersonalExport[] = [];

/** The exports of an hour ago. */
async function askedBefore(given: SetUp, count: number): Promise<void> {
  inThePool(given, patient);
  await given.call(patient, 'readProfile');
  const now = new Date(given.now() - 3_600_000);
  before = Array.from({ length: count }, (_, number) => {
    const { userId, application } = patient;
    return { ...asked({ userId, application, now, random: `${number}`.repeat(8) }), status: 'done' };
  });
  const { userId = '', exportId: latestId, expiresAt } = before.at(-1) ?? {};
  await given.put('PersonalExports', { userId, exportId: '~latest', latestId, expiresAt }, ...before);
}

export const exportAskedTwice: Scenario = {
  name: 'export-asked-twice',
  domain: 'personal-exports',
  says: 'Two phones ask for an export of one person when one more is possible today, and functions make it.',
  setUp: (given) => askedBefore(given, perDay - 1),
  clients: { 'phone A': asksForExport, 'phone B': asksForExport },
  consumers: ['makeExport'],
  clockMoves: [-3000],
  invariants: {
    'no more exports are made than may be, and every answer names the one': ({ calls, rows }) => {
      const others = ['~latest', ...before.map(({ exportId }) => exportId)];
      const made = rows('PersonalExports').filter(({ exportId }) => !others.includes(exportId));
      assert.equal(made.length, 1);
      for (const { answer } of calls) if (answer.status === 202) assert.equal(answer.body.exportId, made[0]?.exportId);
      assert.equal(made[0]?.status, 'done');
    },
    'only its ZIP is there': (end) =>
      assert.deepEqual(
        exportFilesIn(end).map((key) => key.split('/').slice(1).join('/')),
        ['export.zip'],
      ),
  },
};

export const exportAskedTooOften: Scenario = {
  name: 'export-asked-too-often',
  domain: 'personal-exports',
  says: 'Two phones ask for an export of one person when one more is possible today, and newer rows are no exports.',
  setUp: async (given) => {
    await askedBefore(given, perDay - 1);
    const planted = before.map((_, number) => ({ userId: patient.userId, exportId: `20260301T115900000Z-${number}` }));
    await given.put('PersonalExports', ...planted, { userId: patient.userId, exportId: '20260301T115959999Z' });
  },
  clients: { 'phone A': asksForExport, 'phone B': asksForExport },
  invariants: {
    'one is added, whatever a page holds': ({ rows }) =>
      assert.equal(rows('PersonalExports').filter(({ status }) => status === 'pending').length, 1),
  },
};
