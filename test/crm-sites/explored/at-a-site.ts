import assert from 'node:assert/strict';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { Row, Scenario } from '../../../lib/explore/scenario.ts';
import { admin, otherAdmin, patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import {
  changes,
  choosesMain,
  joins,
  leaves,
  made,
  postsIn,
  relationsOf,
  renews,
  siteInvariants,
  staffed,
  withSites,
} from './sites.ts';

/** A patient and administrators change who is at a site. */

type Sites = Readonly<Record<string, 'with' | 'main'>>;

export const twoMainSites: Scenario = {
  name: 'two-main-sites',
  domain: 'crm-sites',
  says: 'Two phones of one patient choose different main sites at the same time, and one leaves a site.',
  setUp: async (given) => {
    await withSites(given);
    await given.call(patient, 'joinSiteByCode', joins(made.first));
    await given.call(patient, 'joinSiteByCode', joins(made.second));
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('chooseMainSite', choosesMain(made.first)) },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('chooseMainSite', choosesMain(made.second));
        await insist('chooseMainSite', choosesMain(made.first));
      },
    },
    'phone C': { as: patient, does: ({ insist }) => insist('leaveSite', leaves(made.second)) },
  },
  clockMoves: [-3000, 60_000],
  invariants: {
    ...siteInvariants,
    ...served('phone A', 'phone B', 'phone C'),
    'the choices and the leaving are linearizable': (end) => {
      const history = end.calls.map((call) => {
        const siteId = call.request.params?.siteId ?? '';
        const { status } = call.answer;
        return observed<Sites>(call, (state) => {
          const { [siteId]: own, ...others } = state;
          if (call.operation === 'leaveSite') return others;
          if (own === undefined) return status === 404 || call.answer.status !== 200 ? state : undefined;
          if (status === 404) return undefined;
          return {
            ...Object.fromEntries(Object.keys(others).map((each) => [each, 'with' as const])),
            [siteId]: 'main',
          };
        });
      });
      const before = { [made.first.siteId]: 'with', [made.second.siteId]: 'with' } as const;
      const last = relationsOf(end, patient.userId).map(({ siteId, isMain }) => [siteId, isMain ? 'main' : 'with']);
      const accepts = (state: Sites) =>
        JSON.stringify(Object.entries(state).sort()) === JSON.stringify(last.toSorted());
      assert.ok(isLinearizable<Sites>(before, history, accepts), JSON.stringify(last));
    },
  },
};

export const siteCodeRenewed: Scenario = {
  name: 'site-code-renewed',
  domain: 'crm-sites',
  says: 'A patient joins a site by its code while it is renewed, and the site is closed.',
  setUp: withSites,
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('joinSiteByCode', joins(made.first)) },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('joinSiteByCode', joins(made.first));
        await insist('leaveSite', leaves(made.first));
      },
    },
    'an administrator': { as: admin, does: ({ insist }) => insist('renewSiteCode', renews(made.first, 'new')) },
    'another administrator': {
      as: otherAdmin,
      does: ({ insist }) => insist('updateSite', changes(made.first, 1, { status: 'closed' })),
    },
  },
  clockMoves: [60_000],
  invariants: {
    ...siteInvariants,
    ...served('an administrator'),
    'each answer of one renewal has the same code, which is the site’s': ({ calls, rows }) => {
      const [site] = rows('Sites').filter(({ kind, siteId }) => kind === 'site' && siteId === made.first.siteId);
      for (const { operation, answer } of calls) {
        if (operation === 'renewSiteCode' && answer.status === 200) assert.equal(answer.body.code, site?.code);
      }
    },
    'nobody joins by the old code, or a closed site, after that was answered': (end) => {
      const ends = end.calls.filter(
        ({ operation, answer }) => ['renewSiteCode', 'updateSite'].includes(operation) && answer.status === 200,
      );
      const joining = end.calls.filter(({ operation }) => operation === 'joinSiteByCode');
      const first = Math.min(...joining.map(({ begun }) => begun));
      if (ends.some(({ ended }) => ended <= first)) {
        for (const { answer } of joining) assert.notEqual(answer.status, 200);
        assert.deepEqual(relationsOf(end, patient.userId), []);
      }
    },
    'a join is refused only after a change of the code or of the site had begun': ({ calls }) => {
      const changing = calls.filter(({ operation }) => ['renewSiteCode', 'updateSite'].includes(operation));
      for (const { operation, answer, ended } of calls) {
        if (operation !== 'joinSiteByCode' || answer.status !== 404) continue;
        assert.ok(changing.some(({ begun }) => begun < ended));
      }
    },
    'of the two changes of one revision none is lost': ({ calls, rows }) => {
      const [site] = rows('Sites').filter(({ kind, siteId }) => kind === 'site' && siteId === made.first.siteId);
      for (const { operation, answer } of calls) {
        if (operation === 'updateSite' && answer.status === 200) assert.equal(site?.status, 'closed');
      }
    },
    'who joined and did not leave since is with the site': (end) => {
      const leaving = end.calls.filter(({ operation }) => operation === 'leaveSite');
      const joined = end.calls.filter(
        ({ operation, answer }) => operation === 'joinSiteByCode' && answer.status === 200,
      );
      const isLast = joined.some(({ begun }) => leaving.every(({ ended }) => ended <= begun));
      if (isLast) assert.equal(relationsOf(end, patient.userId).length, 1);
      const left = leaving.find(({ answer }) => answer.status === 200);
      const tried = end.calls.filter(({ operation }) => operation === 'joinSiteByCode');
      if (left && tried.every(({ ended }) => ended <= left.begun))
        assert.deepEqual(relationsOf(end, patient.userId), []);
    },
  },
};

export const staffPutAndRemoved: Scenario = {
  name: 'staff-put-and-removed',
  domain: 'crm-sites',
  says: 'Two administrators put a physician to a site, remove her and give her another name, and change the site.',
  setUp: withSites,
  clients: {
    'an administrator': {
      as: admin,
      does: async ({ insist }) => {
        await insist('putSiteStaff', staffed(made.first, 'Dr. One'));
        await insist('removeSiteStaff', staffed(made.first));
      },
    },
    'another administrator': {
      as: otherAdmin,
      does: ({ insist }) => insist('putSiteStaff', staffed(made.second, 'Dr. Two')),
    },
    'a third one': {
      as: { ...admin, userId: 'admin-3' },
      does: ({ insist }) => insist('putSiteStaff', staffed(made.first, 'Dr. One')),
    },
  },
  clockMoves: [60_000],
  invariants: {
    ...siteInvariants,
    ...served('an administrator', 'another administrator', 'a third one'),
    'the posts are linearizable': (end) => {
      const history = end.calls.map((call) => {
        const siteId = call.request.params?.siteId ?? '';
        const isPut = call.operation === 'putSiteStaff';
        return observed<readonly string[]>(call, (state) => {
          const others = state.filter((each) => each !== siteId);
          return isPut ? [...others, siteId] : others;
        });
      });
      const last = postsIn(end).map(({ siteId }) => siteId);
      const accepts = (state: readonly string[]) =>
        JSON.stringify([...state].sort()) === JSON.stringify(last.toSorted());
      assert.ok(isLinearizable<readonly string[]>([], history, accepts), JSON.stringify(last));
    },
    'each post that begins or ends has its audit event': (end) => {
      const posts = end.changes('Staff').filter(({ before, after }) => (before ?? after)?.since !== undefined);
      const counted = (action: string) => end.rows('AuditEvents').filter((event) => event.action === action).length;
      assert.equal(counted('site.staff-added'), posts.filter(({ before }) => !before).length);
      assert.equal(counted('site.staff-removed'), posts.filter(({ after }) => !after).length);
    },
  },
};

const named = (name: string) => ({ name });

export const oneSiteTwoAdministrators: Scenario = {
  name: 'one-site-two-administrators',
  domain: 'crm-sites',
  says: 'Two administrators change the same site by the same revision, and one deletes it while another opens it and staff is put there.',
  setUp: withSites,
  clients: {
    'an administrator': {
      as: admin,
      does: async ({ insist }) => {
        await insist('updateSite', changes(made.first, 1, { ...named('One'), status: 'closed' }));
        await insist('deleteSite', { params: { siteId: made.first.siteId }, headers: { 'If-Match': '"2"' } });
      },
    },
    'another administrator': {
      as: otherAdmin,
      does: async ({ insist }) => {
        await insist('updateSite', changes(made.first, 1, named('Other')));
        await insist('putSiteStaff', staffed(made.first, 'Dr. One'));
      },
    },
    'a third one': {
      as: { ...admin, userId: 'admin-3' },
      does: ({ insist }) => insist('updateSite', changes(made.first, 2, { status: 'open' })),
    },
    'a patient': { as: patient, does: ({ insist }) => insist('joinSiteByCode', joins(made.first)) },
  },
  invariants: {
    ...siteInvariants,
    'of two changes of one revision one is made, and what was answered as made is there': ({
      calls,
      changes: all,
      rows,
    }) => {
      const changed = all('Sites').filter(
        ({ before, after }) => after?.kind === 'site' && after.siteId === made.first.siteId && before,
      );
      const names = changed.filter(({ after }) => after?.revision === 2).map(({ after }) => after?.name);
      assert.ok(names.length <= 1);
      for (const { operation, request, answer } of calls) {
        if (operation !== 'updateSite' || request.headers?.['If-Match'] !== '"1"') continue;
        if (answer.status === 200) assert.deepEqual(names, [(request.body as Row).name]);
        if (answer.status === 412) assert.equal(names.length, 1);
      }
      assert.equal(rows('AuditEvents').filter(({ action }) => action === 'site.changed').length, changed.length);
    },
    'nobody is at a site that is gone': (end) => {
      const isThere = end.rows('Sites').some(({ kind, siteId }) => kind === 'site' && siteId === made.first.siteId);
      const isAt = ({ siteId }: Row) => siteId === made.first.siteId;
      if (!isThere) assert.ok(!postsIn(end).some(isAt) && !end.rows('CareRelations').some(isAt));
      for (const { operation, answer } of end.calls) {
        if (operation === 'deleteSite' && answer.status === 200) assert.ok(!isThere);
      }
    },
    'who was answered as being at the site is there': (end) => {
      for (const { operation, answer } of end.calls) {
        if (answer.status !== 200) continue;
        if (operation === 'putSiteStaff') assert.equal(postsIn(end).length, 1);
        if (operation === 'joinSiteByCode') assert.equal(relationsOf(end, patient.userId).length, 1);
      }
    },
  },
};

export const siteChangedAgain: Scenario = {
  name: 'site-changed-again',
  domain: 'crm-sites',
  says: 'An administrator changes a site and repeats it until there is an answer, while another one puts staff there.',
  setUp: withSites,
  clients: {
    'an administrator': { as: admin, does: ({ insist }) => insist('updateSite', changes(made.first, 1, named('One'))) },
    'another administrator': {
      as: otherAdmin,
      does: ({ insist }) => insist('putSiteStaff', staffed(made.first, 'Dr. One')),
    },
  },
  invariants: {
    ...siteInvariants,
    ...served('an administrator', 'another administrator'),
    'the change is made once': ({ rows }) =>
      assert.equal(rows('AuditEvents').filter(({ action }) => action === 'site.changed').length, 1),
  },
};

/** Nobody chooses again, so that nothing mends what the two have done. */
export const mainSiteChosenTwice: Scenario = {
  ...twoMainSites,
  name: 'main-site-chosen-twice',
  says: 'Two phones of one patient each choose another main site.',
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('chooseMainSite', choosesMain(made.first)) },
    'phone B': { as: patient, does: ({ insist }) => insist('chooseMainSite', choosesMain(made.second)) },
  },
  faults: { most: 1 },
  invariants: {
    ...twoMainSites.invariants,
    ...served('phone A', 'phone B'),
    'one is the main site': (end) =>
      assert.equal(relationsOf(end, patient.userId).filter(({ isMain }) => isMain === true).length, 1),
  },
};
