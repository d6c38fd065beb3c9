import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const userId = '95f807be-bb56-4119-899f-ee487ecfa121';
const nothing = {
  userId,
  status: 'none',
  requestedAt: null,
  endedAt: null,
  restorableUntil: null,
  restoredAt: null,
  signInClosedAt: null,
  erasesAt: null,
  erasureBegunAt: null,
  erasedAt: null,
  retainUntil: null,
  releasedAt: null,
  recordsExpireAt: null,
  legalHold: null,
} as const;
const nothingOwn = {
  userId,
  status: 'none',
  requestedAt: null,
  endedAt: null,
  restorableUntil: null,
  erasesAt: null,
  restoredAt: null,
} as const;

export const reference: ReferenceTo<typeof routes> = {
  about: 'The deletion of an account, and the legal hold that prevents it.',
  examples: {
    readErasure: {
      params: { userId },
      answer: nothing,
    },
    setLegalHold: {
      params: { userId },
      body: { reason: 'LEGAL-2026-117' },
      answer: {
        ...nothing,
        status: 'held',
        legalHold: {
          since: '2026-11-22T07:14:10.555Z',
          by: '37220927-b3cb-4528-8d0a-2a0fd0aac537',
          reason: 'LEGAL-2026-117',
        },
      },
    },
    liftLegalHold: {
      params: { userId },
      answer: nothing,
    },
    readOwnErasure: {
      answer: nothingOwn,
    },
    requestErasure: {
      answer: {
        userId,
        status: 'requested',
        requestedAt: '2026-11-22T07:14:11.477Z',
        endedAt: '2026-11-22T07:14:11.477Z',
        restorableUntil: '2026-11-29T07:14:11.477Z',
        erasesAt: '2026-11-29T07:30:11.477Z',
        restoredAt: null,
      },
    },
    restoreAccount: {
      answer: { ...nothingOwn, restoredAt: '2026-11-23T08:00:00.000Z' },
    },
    requestErasureOf: {
      params: { userId },
      answer: {
        ...nothing,
        status: 'requested',
        requestedAt: '2026-11-24T07:14:11.477Z',
        endedAt: '2026-11-24T07:14:11.477Z',
        restorableUntil: '2026-12-01T07:14:11.477Z',
        restoredAt: '2026-11-23T08:00:00.000Z',
        erasesAt: '2026-12-01T07:30:11.477Z',
      },
    },
  },
};
