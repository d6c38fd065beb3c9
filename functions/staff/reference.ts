import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const staffId = '8e1f6c52-6a0f-4c37-9d0b-7f6a2f3f5c11';

const member = {
  staffId,
  email: 'grace@example.com',
  name: 'Dr. Grace Example',
  roles: ['physician'] as ['physician'],
  status: 'invited',
  createdAt: '2026-11-22T07:14:01.310Z',
  updatedAt: '2026-11-22T07:14:01.310Z',
} as const;

export const reference: ReferenceTo<typeof routes> = {
  about: 'Who works here, and what each may do.',
  examples: {
    inviteStaff: {
      headers: { 'idempotency-key': 'b1d6a3e0-2c1f-4f0e-8d54-5f0a7a6a4c90' },
      body: {
        email: 'grace@example.com',
        name: 'Dr. Grace Example',
        roles: ['physician'],
        siteId: 'example-site',
        locale: 'en',
      },
      answer: member,
    },
    listStaff: {
      answer: { items: [member], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null } },
    },
    readStaffMember: { params: { staffId }, answer: member },
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
      answer: { ...member, name: 'Dr. Grace Hopper-Example' },
    },
    resendStaffInvitation: { params: { staffId }, answer: { staffId, isSent: true } },
    disableStaff: {
      params: { staffId },
      answer: { ...member, name: 'Dr. Grace Hopper-Example', status: 'disabled' },
    },
    enableStaff: { params: { staffId }, answer: { ...member, name: 'Dr. Grace Hopper-Example' } },
    resetStaffMfa: { params: { staffId }, answer: { ...member, name: 'Dr. Grace Hopper-Example' } },
  },
};
