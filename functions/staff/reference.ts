import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const staffId = '8e1f6c52-6a0f-4c37-9d0b-7f6a2f3f5c11';

const start = '2026-01-01T00:00:00.000Z';
const first = { name: null, status: 'active', createdAt: start, updatedAt: start } as const;
/** The seeded members of staff, in the order of their ids. */
const seeded = [
  {
    ...first,
    staffId: '1d1c4b4e-0f4c-4c39-8a3f-3b2f5c9d7e10',
    email: 'physician@example.com',
    name: 'Dr. Ada Example',
    roles: ['physician'] as ['physician'],
  },
  {
    ...first,
    staffId: '37220927-b3cb-4528-8d0a-2a0fd0aac537',
    email: 'admin@example.com',
    roles: ['admin'] as ['admin'],
  },
  {
    ...first,
    staffId: '3f093160-2088-4b72-86d6-2e7e23254ae9',
    email: 'developer@example.com',
    roles: ['developer'] as ['developer'],
  },
];

const invited = {
  staffId,
  email: 'grace@example.com',
  name: 'Dr. Grace Example',
  roles: ['physician'] as ['physician'],
  status: 'invited',
  createdAt: '2026-11-22T07:14:01.310Z',
  updatedAt: '2026-11-22T07:14:01.310Z',
} as const;
const renamed = { ...invited, name: 'Dr. Grace Hopper-Example' } as const;
const accepted = { ...renamed, status: 'active' } as const;

export const reference: ReferenceTo<typeof routes> = {
  about: 'Who works here, and what each may do.',
  examples: {
    listStaff: {
      answer: { items: seeded, metadata: { limit: 20, count: 3, hasMore: false, nextCursor: null } },
    },
    inviteStaff: {
      headers: { 'idempotency-key': 'b1d6a3e0-2c1f-4f0e-8d54-5f0a7a6a4c90' },
      body: {
        email: 'grace@example.com',
        name: 'Dr. Grace Example',
        roles: ['physician'],
        siteId: 'example-site',
        locale: 'en',
      },
      answer: { ...invited, invitationCode: '27182818' },
    },
    readStaffMember: { params: { staffId }, answer: invited },
    readUserRoles: { params: { userId: staffId }, answer: { userId: staffId, roles: ['physician'] } },
    giveRole: {
      params: { userId: staffId, role: 'researcher' },
      answer: { userId: staffId, roles: ['physician', 'researcher'] },
    },
    takeRole: { params: { userId: staffId, role: 'researcher' }, answer: { userId: staffId, roles: ['physician'] } },
    updateStaffMember: {
      params: { staffId },
      headers: { 'if-match': '"3"' },
      body: { name: 'Dr. Grace Hopper-Example' },
      answer: renamed,
    },
    resendStaffInvitation: { params: { staffId }, answer: { staffId, isSent: true, invitationCode: '31415926' } },
    acceptStaffInvitation: {
      body: {
        email: 'grace@example.com',
        token: '3b1c6f0e.yP4VtQ9uZk1LrWx7HhD3mXo8NsJ2bGfEaIi6BtRnCMw',
        code: '31415926',
        password: 'a-long-new-passphrase',
      },
      answer: { success: true },
    },
    disableStaff: { params: { staffId }, answer: { ...accepted, status: 'disabled' } },
    enableStaff: { params: { staffId }, answer: accepted },
    resetStaffMfa: { params: { staffId }, answer: { ...accepted, status: 'invited', invitationCode: '16180339' } },
  },
};
