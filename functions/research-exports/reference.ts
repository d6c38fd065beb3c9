import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const params = { studyId: '01a2021a-f1c4-7e3b-8a5d-7c9e0f1a2b34' };

const requested = {
  exportId: '20261122T071350626Z-4f1c09a2',
  ...params,
  status: 'pending',
  requestedAt: '2026-11-22T07:13:50.626Z',
  enrolledUntil: '2026-11-22T07:13:50.626Z',
  enrolments: null,
  participants: null,
  finishedAt: null,
  failure: null,
} as const;

const done = {
  ...requested,
  status: 'done',
  participants: null,
  finishedAt: '2026-11-22T07:14:31.210Z',
} as const;

const metadata = { limit: 20, count: 1, hasMore: false, nextCursor: null };

const downloadUrl = 'https://s3.eu-central-1.amazonaws.com/…?X-Amz-Signature=…';

const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const files = [
  ['participants.csv', 117, 1],
  ['participants.ndjson', 141, 1],
  ['diary.csv', 308, 0],
  ['diary.ndjson', 0, 0],
  ['questionnaires.csv', 1104, 10],
  ['questionnaires.ndjson', 2554, 10],
  ['codebook.csv', 6109, 58],
  ['codebook.ndjson', 11951, 58],
] as const;

export const reference: ReferenceTo<typeof routes> = {
  about: 'The files of a study: pseudonymous, without free text, and with a signed manifest.',
  examples: {
    requestResearchExport: { params, answer: requested },
    listResearchExports: { params, answer: { items: [done], metadata } },
    readResearchExport: {
      params: { ...params, exportId: requested.exportId },
      answer: {
        ...done,
        smallCells: { levels: { timezone: 0, group: 0 }, suppressed: 0, withdrawn: 0 },
        files: files.map(([name, bytes, rows]) => ({ name, bytes, rows, sha256, downloadUrl })),
        manifests: ['manifest.json', 'manifest.jws'].map((name) => ({ name, downloadUrl })),
        isWithdrawn: false,
        filesUntil: '2026-11-29T07:14:31.210Z',
        downloadUrlsExpireAt: '2026-11-22T07:29:11.017Z',
      },
    },
    verifyResearchManifest: {
      body: {
        manifest:
          'eyJhbGciOiJFUzI1NiIsInR5cCI6InJlc2VhcmNoLWV4cG9ydCtqd3QiLCJraWQiOiJlbHNld2hlcmUifQ.eyJpc3MiOiJlbHNld2hlcmUifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      },
      answer: { valid: false, reason: 'UNKNOWN_KEY', differs: [], warning: null },
    },
    listResearchNotices: {
      params,
      answer: {
        items: [
          {
            exportId: requested.exportId,
            pseudonym: '4d1f2c0b9e8a7d6c5b4a39281706f5e4',
            reason: 'left',
            action: 'keep',
            on: '2026-11-23',
          },
        ],
        metadata,
      },
    },
  },
};
