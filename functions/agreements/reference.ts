import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';
import { AgreementTexts, AgreementVersion } from './routes.ts';

const sleepDiary = {
  agreementId: 'sleep-diary',
  application: 'sleepcare',
  title: 'Sleep diary',
  isRequired: false,
  position: 50,
} as const;
const firstVersion = {
  versionId: 'sleep-diary-1.0',
  label: '1.0',
  changeType: 'major',
  defaultLocale: 'en',
  locales: {
    en: {
      title: 'Sleep diary',
      contentUrl: 'https://content.example.com/sleepcare/sleep-diary/1.0/en.md',
      contentHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
  },
} as const;

export const reference: ReferenceTo<typeof routes> = {
  about: 'The catalogue of agreements: their versions, from draft to withdrawal, and their texts.',
  schemas: [
    [AgreementTexts, { minProperties: 1, maxProperties: 50 }],
    [
      AgreementVersion,
      {
        description:
          '`status` is the present status. After `publishedAt` is set, only `status` and `withdrawnAt` change.',
      },
    ],
  ],
  examples: {
    listCatalogue: {
      query: { application: 'sleepcare', limit: 1 },
      answer: {
        items: [
          {
            agreementId: 'terms-of-service',
            application: 'sleepcare',
            title: 'Terms of service',
            isRequired: true,
            position: 10,
            versions: [
              {
                agreementId: 'terms-of-service',
                versionId: 'terms-of-service-1.0',
                label: '1.0',
                changeType: 'major',
                defaultLocale: 'en',
                locales: {
                  en: {
                    title: 'Terms of service',
                    contentUrl: 'https://content.example.com/sleepcare/terms-of-service/1.0/en.md',
                    contentHash: '973518cc50673d9198689602548fef156a3550d31c15a7d7c14d5252efd2b9a1',
                  },
                  de: {
                    title: 'Nutzungsbedingungen',
                    contentUrl: 'https://content.example.com/sleepcare/terms-of-service/1.0/de.md',
                    contentHash: 'a8b8a25aa6fe5da24f3c62563ac93358f892e9553296df36b8f8f3248428faf1',
                  },
                },
                status: 'active',
                publishedAt: '2026-01-01T00:00:00.000Z',
                effectiveFrom: '2026-01-01T00:00:00.000Z',
                withdrawnAt: null,
              },
            ],
          },
        ],
        metadata: { limit: 1, count: 1, hasMore: true, nextCursor: 'Sko9y6u4Da2yuWCN…' },
      },
    },
    createAgreement: {
      body: sleepDiary,
      answer: { ...sleepDiary, versions: [] },
    },
    draftAgreementVersion: {
      params: { agreementId: sleepDiary.agreementId },
      body: firstVersion,
      answer: {
        agreementId: sleepDiary.agreementId,
        ...firstVersion,
        status: 'draft',
        publishedAt: null,
        effectiveFrom: null,
        withdrawnAt: null,
      },
    },
    signContentUpload: {
      params: { versionId: firstVersion.versionId },
      body: { locale: 'en', contentType: 'text/markdown' },
      answer: {
        url: 'https://agreement-contents.s3.eu-central-1.amazonaws.com/',
        fields: {
          'Content-Type': 'text/markdown',
          'x-amz-checksum-sha256': '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
          bucket: 'mobilehealth-dev-state-agreementcontents-wuu8aqa5s6o0',
          'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
          'X-Amz-Credential': 'LOCALAA586315C7B07EA/20261122/eu-central-1/s3/aws4_request',
          'X-Amz-Date': '20261122T071359Z',
          key: 'versions/sleep-diary-1.0/en/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
          Policy: 'eyJleHBpcmF0aW9u…',
          'X-Amz-Signature': 'b7d5e04e4d6c7ab3f9f7cc4d4b7cfe76df90dba54f094b19153fc1db264d9a77',
        },
        expiresAt: '2026-11-22T07:23:59.485Z',
        maxBytes: 10485760,
      },
    },
    publishAgreementVersion: {
      params: { versionId: 'marketing-1.0' },
      body: {},
      answer: {
        agreementId: 'marketing',
        versionId: 'marketing-1.0',
        label: '1.0',
        changeType: 'major',
        defaultLocale: 'en',
        locales: {
          en: {
            title: 'News about the app',
            contentUrl: 'https://content.example.com/sleepcare/marketing/1.0/en.md',
            contentHash: '5e49eb57392cfee6fa0ab8d23350de8e68ae324b176c9014ceff95d059ba3559',
          },
          de: {
            title: 'Neuigkeiten zur App',
            contentUrl: 'https://content.example.com/sleepcare/marketing/1.0/de.md',
            contentHash: 'ccb21b79cb31a9ba013a13bb8ea016be81022fe5c19edd16e474edb296083f28',
          },
        },
        status: 'active',
        publishedAt: '2026-01-01T00:00:00.000Z',
        effectiveFrom: '2026-01-01T00:00:00.000Z',
        withdrawnAt: null,
      },
    },
    withdrawAgreementVersion: {
      params: { versionId: 'privacy-policy-0.9' },
      answer: {
        agreementId: 'privacy-policy',
        versionId: 'privacy-policy-0.9',
        label: '0.9',
        changeType: 'major',
        defaultLocale: 'en',
        locales: {
          en: {
            title: 'Privacy policy',
            contentUrl: 'https://content.example.com/sleepcare/privacy-policy/0.9/en.md',
            contentHash: '245a6341614b300679303aa06c27cc8521b795556a5b05cff518922fa0ef4473',
          },
          de: {
            title: 'Datenschutzerklärung',
            contentUrl: 'https://content.example.com/sleepcare/privacy-policy/0.9/de.md',
            contentHash: '5f53f4aef778890e833491d79083777f16a3223e4d58a688ce8a2ecde8646371',
          },
        },
        status: 'withdrawn',
        publishedAt: '2026-01-01T00:00:00.000Z',
        effectiveFrom: '2025-06-01T00:00:00.000Z',
        withdrawnAt: '2026-11-22T07:14:00.750Z',
      },
    },
    readAgreementContent: {
      params: { versionId: 'terms-of-service-1.0' },
      query: { locale: 'de' },
      answer: {
        versionId: 'terms-of-service-1.0',
        locale: 'de',
        contentHash: 'a8b8a25aa6fe5da24f3c62563ac93358f892e9553296df36b8f8f3248428faf1',
        contentType: 'text/markdown; charset=utf-8',
        url: 'https://agreement-contents.s3.eu-central-1.amazonaws.com/?X-Amz-Signature=…',
        expiresAt: '2026-11-22T07:19:01.613Z',
      },
    },
  },
};
