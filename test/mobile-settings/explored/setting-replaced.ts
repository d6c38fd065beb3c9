import assert from 'node:assert/strict';
import type { End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { admin, otherAdmin, patient } from '../../explorer/people.ts';
import { definition } from '../definition.ts';
import { type Administered, administeredInvariants, replaces } from './administered.ts';

/** Two administrators define the same setting of the app, and one of them deletes it; phones read it meanwhile. */

const settingId = 'reminder-text';

const setting: Administered = {
  put: 'putMobileSettingDefinition',
  read: 'readMobileSettingDefinition',
  remove: 'deleteMobileSettingDefinition',
  params: { settingId },
  bodyOf: (value) => definition({ schema: { type: 'string' }, defaultValue: value }),
  valueOf: (content) => {
    const { defaultValue } = (typeof content.definition === 'string' ? JSON.parse(content.definition) : content) as Row;
    return String(defaultValue);
  },
  rowOf: ({ rows }) => rows('MobileSettings').find((row) => row.settingId === settingId),
  subject: `mobile-setting/${settingId}`,
};

/** What the phones get of it; undefined where they get nothing. */
const shownIn = (body: Row) => body.settings?.[settingId] as string | undefined;

const storedIn = (end: End) => {
  const row = setting.rowOf(end);
  return row && row.definition !== null ? setting.valueOf(row) : undefined;
};

export const settingReplaced: Scenario = {
  name: 'setting-replaced',
  domain: 'mobile-settings',
  says: 'Two administrators define the same setting of the app at once, one of them deletes it again, and a phone reads it meanwhile.',
  clients: {
    'admin A': { as: admin, does: (client) => replaces(client, setting, 'of admin A') },
    'admin B': {
      as: otherAdmin,
      does: async (client) => {
        const { status, etag } = await replaces(client, setting, 'of admin B');
        if (status !== 200) return;
        const headers = { 'If-Match': String(etag) };
        await client.insist('deleteMobileSettingDefinition', { params: { settingId }, headers });
      },
    },
    phone: {
      as: patient,
      does: ({ insist }) => insist('readMobileSettings', { query: { platform: 'ios', appVersion: '1.0.0' } }),
    },
  },
  // It only lets the time pass that phones keep settings for.
  finally: ['watchFlags'],
  clockMoves: [6000],
  invariants: {
    ...administeredInvariants(setting),
    'a phone gets what was defined at some time, and starts whatever fails': ({ calls }) => {
      for (const { operation, answer } of calls) {
        if (operation !== 'readMobileSettings' || [0, 502, 504].includes(answer.status)) continue;
        assert.equal(answer.status, 200);
        assert.ok([undefined, 'of admin A', 'of admin B'].includes(shownIn(answer.body)));
      }
    },
    'a phone gets the last definition once the kept one is old': async (end) => {
      const { body } = await end.call(patient, 'readMobileSettings', {
        query: { platform: 'ios', appVersion: '1.0.0' },
      });
      assert.equal(shownIn(body), storedIn(end));
    },
  },
};
