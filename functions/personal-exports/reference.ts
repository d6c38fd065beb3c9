import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const asked = {
  exportId: '20261122T071350626Z-4f1c09a2',
  requestedAt: '2026-11-22T07:13:50.626Z',
  expiresAt: '2026-11-29T07:13:50.626Z',
  status: 'pending',
  finishedAt: null,
  sizeBytes: null,
} as const;

const done = {
  ...asked,
  status: 'done',
  finishedAt: '2026-11-22T07:13:53.210Z',
  expiresAt: '2026-11-29T07:13:54.000Z',
  sizeBytes: 9412,
} as const;

export const reference: ReferenceTo<typeof routes> = {
  about: "A copy of all of a person's data.",
  examples: {
    requestExport: { answer: asked },
    listExports: { answer: { items: [done], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null } } },
    readExport: {
      params: { exportId: asked.exportId },
      answer: {
        ...done,
        downloadUrl: 'https://s3.eu-central-1.amazonaws.com/…?X-Amz-Signature=…',
        downloadUrlExpiresAt: '2026-11-22T07:29:11.017Z',
      },
    },
  },
};
