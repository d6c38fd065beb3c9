import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const receipt = {
  receiptId: '16974e69-85d4-4551-9f13-d3167dd64c91',
  agreementId: 'marketing',
  issuedAt: '2026-11-22T07:14:04.469Z',
  receipt: 'eyJhbGciOiJFUzI1NiIs…',
  record: {
    userId: '95f807be-bb56-4119-899f-ee487ecfa121',
    agreementId: 'marketing',
    recordedAt: '2026-11-22T07:14:03.538Z',
    sequence: 1,
    recordId: '16974e69-85d4-4551-9f13-d3167dd64c91',
    action: 'agreed',
    versionId: 'marketing-1.0',
    contentHash: '5e49eb57392cfee6fa0ab8d23350de8e68ae324b176c9014ceff95d059ba3559',
    locale: 'en',
    localeSource: 'stated',
    appVersion: '2.1.0',
    requestId: '_Snsk05kCyBpPMg=',
    source: 'user',
    previousHash: null,
    hash: 'dfd23e125a4badd400a3335fee54895deaf85662991da20c0a9014f53c9bf01f',
  },
} as const;

export const reference: ReferenceTo<typeof routes> = {
  about: 'Signed receipts of consent records, and the keys that verify them.',
  examples: {
    readReceipt: {
      params: { agreementId: 'marketing' },
      answer: receipt,
    },
    readReceiptOfRecord: {
      params: { agreementId: 'marketing', recordId: receipt.receiptId },
      answer: receipt,
    },
    readSigningKeys: {
      answer: {
        keys: [
          {
            kty: 'EC',
            crv: 'P-256',
            x: 'yikralREud7tNUieRqQwDf7obMnBA2sM0ZGLtyi7KPA',
            y: 'R35BMSwrOX0DoOvclHIWyoSB-U2K8Tkxlpx4AMcdiY8',
            kid: 'PZDxv-Wqk-7QnFB4-kI4KyQogiZIYnz8tQ9Hu7rs_ng',
            alg: 'ES256',
            use: 'sig',
            signs: 'consent-receipt+jwt',
          },
          {
            kty: 'EC',
            crv: 'P-256',
            x: 'lFOE8zPs3EnCpZGGRQv_vkkTYpcn8-dh1MTnQ-qD3Rg',
            y: 'cK-kkFK8VPfEVPLkFzHteE2LO2iK5XIXnXAaz0aRAYg',
            kid: 'PdPMiOjfFv1ORgnORy_ypK2qXbZlH6TxFlR7V-P1SDU',
            alg: 'ES256',
            use: 'sig',
            signs: 'research-export+jwt',
          },
        ],
      },
    },
    verifyReceipt: {
      body: {
        receipt:
          'eyJhbGciOiJFUzI1NiIsInR5cCI6ImNvbnNlbnQtcmVjZWlwdCtqd3QiLCJraWQiOiJlbHNld2hlcmUifQ.eyJpc3MiOiJlbHNld2hlcmUifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      },
      answer: { valid: false, reason: 'UNKNOWN_KEY', differs: [], record: null, warning: null },
    },
  },
};
