import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const group = {
  groupId: '01a2021a-d3f0-7b1c-8e2d-5a6f7c8b9d01',
  name: 'Pilot of autumn',
  kind: 'patients',
  description: 'Who tries the new diary.',
  createdAt: '2026-11-22T07:13:59.408Z',
} as const;

const renamed = 'Pilot of winter';

const userId = '95f807be-bb56-4119-899f-ee487ecfa121';
const since = '2026-11-22T07:14:02.118Z';
const member = { groupId: group.groupId, userId, since };
const ofGroup = { groupId: group.groupId };
const one = { limit: 20, count: 1, hasMore: false, nextCursor: null };

const message = {
  broadcastId: '01a2021a-e7a8-7c4d-9f3e-6b7a8d9c0e12',
  ...ofGroup,
  purpose: 'service',
  title: 'The diary has a new page',
  body: 'From Monday on you find your week on it.',
  createdAt: '2026-11-22T07:14:04.456Z',
} as const;

const done = { ...message, status: 'done', total: 1, posted: 1, failed: 0, skipped: 0 } as const;

export const reference: ReferenceTo<typeof routes> = {
  about: 'People whom staff write to at once, and what they are sent.',
  examples: {
    createGroup: {
      headers: { 'idempotency-key': '1f7a6c1e-53b0-4d0a-8a5e-9c6d2b3f4e55' },
      body: { name: group.name, kind: group.kind, description: group.description },
      answer: group,
    },
    listGroups: { query: { limit: 20 }, answer: { items: [group], metadata: one } },
    readGroup: { params: ofGroup, answer: group },
    replaceGroup: {
      params: ofGroup,
      headers: { 'if-match': '"1"' },
      body: { name: renamed, description: group.description },
      answer: { ...group, name: renamed },
    },
    putGroupMember: { params: { ...ofGroup, userId }, answer: member },
    listGroupMembers: { params: ofGroup, answer: { items: [member], metadata: { ...one, memberCount: 1 } } },
    listUserGroups: {
      params: { userId },
      answer: { items: [{ ...ofGroup, name: renamed, kind: group.kind, since }], metadata: one },
    },
    postGroupMessage: {
      params: ofGroup,
      headers: { 'idempotency-key': '2e8b7d2f-64c1-4e1b-9b6f-0d7e3c4a5f66' },
      body: { purpose: message.purpose, title: message.title, body: message.body },
      answer: { ...message, status: 'gathering', total: 0, posted: 0, failed: 0, skipped: 0 },
    },
    listGroupMessages: { params: ofGroup, answer: { items: [done], metadata: one } },
    readGroupMessage: { params: { ...ofGroup, broadcastId: message.broadcastId }, answer: done },
    removeGroupMember: { params: { ...ofGroup, userId }, answer: { success: true, ...ofGroup, userId } },
    deleteGroup: { params: ofGroup, headers: { 'if-match': '"2"' }, answer: { success: true, ...ofGroup } },
  },
};
