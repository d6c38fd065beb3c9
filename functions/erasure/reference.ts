import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'The deletion of an account, and what may hold it up.',
  examples: {
    readErasure: {
      params: { userId: '95f807be-bb56-4119-899f-ee487ecfa121' },
      answer: {
        userId: '95f807be-bb56-4119-899f-ee487ecfa121',
        status: 'none',
        requestedAt: null,
        signInClosedAt: null,
        erasesAt: null,
        erasureBegunAt: null,
        erasedAt: null,
        retainUntil: null,
        releasedAt: null,
        recordsExpireAt: null,
        legalHold: null,
      },
    },
    setLegalHold: {
      params: { userId: '95f807be-bb56-4119-899f-ee487ecfa121' },
      body: { reason: 'Case 2026-117' },
      answer: {
        userId: '95f807be-bb56-4119-899f-ee487ecfa121',
        status: 'held',
        requestedAt: null,
        signInClosedAt: null,
        erasesAt: null,
        erasureBegunAt: null,
        erasedAt: null,
        retainUntil: null,
        releasedAt: null,
        recordsExpireAt: null,
        legalHold: {
          since: '2026-11-22T07:14:10.555Z',
          by: '37220927-b3cb-4528-8d0a-2a0fd0aac537',
          reason: 'Case 2026-117',
        },
      },
    },
    liftLegalHold: {
      params: { userId: '95f807be-bb56-4119-899f-ee487ecfa121' },
      answer: {
        userId: '95f807be-bb56-4119-899f-ee487ecfa121',
        status: 'none',
        requestedAt: null,
        signInClosedAt: null,
        erasesAt: null,
        erasureBegunAt: null,
        erasedAt: null,
        retainUntil: null,
        releasedAt: null,
        recordsExpireAt: null,
        legalHold: null,
      },
    },
    requestErasure: {
      answer: {
        userId: '95f807be-bb56-4119-899f-ee487ecfa121',
        status: 'requested',
        requestedAt: '2026-11-22T07:14:11.477Z',
        erasesAt: '2026-11-22T07:30:11.624Z',
      },
    },
  },
};
