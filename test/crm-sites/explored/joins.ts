import assert from 'node:assert/strict';
import type { Client, Scenario } from '../../../lib/explore/scenario.ts';
import { type Batch, issue } from '../../access-codes/explored/codes.ts';
import { admin, patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { choosesMain, joins, leaves, made, renews, siteInvariants, withSites } from './sites.ts';

/** Two ways to a site: its own code, and an access code of the site; who comes back; and the code that two sites draw. */

let batch: Batch = { batchId: '', codes: [] };

const redeems = async ({ insist }: Client) =>
  void (await insist('redeemAccessCode', { body: { code: batch.codes[0]?.code, shareWithSite: true } }));

export const joinedAndRedeemed: Scenario = {
  name: 'joined-and-redeemed',
  domain: 'crm-sites',
  says: 'A patient joins a site by its code and makes it the main one, while two other phones redeem an access code of the site.',
  setUp: async (given) => {
    await withSites(given);
    batch = await issue(given, { count: 1, siteId: made.first.siteId });
  },
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('joinSiteByCode', joins(made.first));
        await insist('chooseMainSite', choosesMain(made.first));
      },
    },
    'phone B': { as: patient, does: redeems },
    'phone C': { as: patient, does: redeems },
  },
  clockMoves: [-3000],
  invariants: {
    ...siteInvariants,
    ...served('phone A', 'phone B', 'phone C'),
    'who is with the site stays so since the same time': ({ changes }) => {
      for (const { before, after } of changes('CareRelations')) if (before) assert.equal(after?.since, before.since);
    },
    'the site is the main one in the end': ({ rows }) =>
      assert.deepEqual(
        rows('CareRelations').map(({ isMain }) => isMain),
        [true],
      ),
  },
};

export const leftAndJoinedAgain: Scenario = {
  name: 'left-and-joined-again',
  domain: 'crm-sites',
  says: 'A patient leaves a site on two phones at once, and joins it again on one of them.',
  setUp: async (given) => {
    await withSites(given);
    await given.call(patient, 'joinSiteByCode', joins(made.first));
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('leaveSite', leaves(made.first)) },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('leaveSite', leaves(made.first));
        await insist('joinSiteByCode', joins(made.first));
      },
    },
  },
  clockMoves: [-3000],
  invariants: {
    ...siteInvariants,
    ...served('phone A', 'phone B'),
    'who joined after all had left is with the site': ({ calls, rows }) => {
      const joined = calls.findLast(({ operation }) => operation === 'joinSiteByCode');
      const left = calls.filter(({ operation }) => operation === 'leaveSite');
      if (left.every(({ ended }) => ended <= (joined?.begun ?? 0))) assert.equal(rows('CareRelations').length, 1);
    },
  },
};

/** The random values of a call follow from whose it is: the set-up has drawn the code that the client draws first. */
const drawer = 'an administrator';

export const sameSiteCode: Scenario = {
  name: 'same-site-code',
  domain: 'crm-sites',
  says: 'Two administrators renew the code of a site, and one draws the code of another site first.',
  setUp: async (given) => {
    await withSites(given);
    await given.call(admin, 'renewSiteCode', renews(made.second, 'set-up'), drawer);
  },
  clients: {
    [drawer]: {
      as: admin,
      does: ({ insist }) => insist('renewSiteCode', renews(made.first, 'new')),
    },
    other: { as: admin, does: ({ insist }) => insist('renewSiteCode', renews(made.first, 'another')) },
  },
  faults: { most: 1 },
  invariants: { ...siteInvariants, ...served(drawer, 'other') },
};
