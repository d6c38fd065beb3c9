import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const definition = {
  title: 'Sleep restriction in shift work',
  agreementId: 'research-data',
  dataClasses: ['diary', 'questionnaires'],
  period: { from: '2026-01-01', until: '2098-12-31' },
  groups: ['early', 'late'],
  quasiIdentifiers: [{ field: 'timezone', smallCells: 'generalise' }],
  shiftDates: true,
} as const;

const definedAs = {
  ...definition,
  dataClasses: [...definition.dataClasses],
  groups: [...definition.groups],
  quasiIdentifiers: definition.quasiIdentifiers.map((each) => ({ ...each })),
};

const study = {
  studyId: '01a2021a-f1c4-7e3b-8a5d-7c9e0f1a2b34',
  ...definedAs,
  state: 'draft' as const,
  hasCode: false,
  createdAt: '2026-11-22T07:14:06.916Z',
};

const retitled = 'Sleep restriction and shift work';
const ofStudy = { studyId: study.studyId };
const open = { ...study, title: retitled, state: 'recruiting' as const, hasCode: true };
const code = 'MNOPQ-RSTUV-WXYZ2-34567';
const one = { limit: 20, count: 1, hasMore: false, nextCursor: null };

const asked = {
  ...ofStudy,
  title: retitled,
  agreementId: definition.agreementId,
  dataClasses: definedAs.dataClasses,
  period: definition.period,
  profileFields: ['timezone' as const],
  shiftDates: true,
};

const own = {
  ...asked,
  enrolledAt: '2026-11-22T07:15:12.404Z',
  isParticipating: true,
  leftAt: null,
  keepExported: null,
};

export const reference: ReferenceTo<typeof routes> = {
  about: 'Studies: what they collect, who takes part in them, and on which consent.',
  examples: {
    createStudy: {
      headers: { 'idempotency-key': '3f9c8e30-75d2-4f2c-8c70-1e8f4d5b6a77' },
      body: definedAs,
      answer: study,
    },
    listStudies: { query: { limit: 20 }, answer: { items: [study], metadata: one } },
    readStudy: { params: ofStudy, answer: study },
    replaceStudy: {
      params: ofStudy,
      headers: { 'if-match': '"1"' },
      body: { ...definedAs, title: retitled },
      answer: { ...study, title: retitled },
    },
    renewStudyCode: {
      params: ofStudy,
      headers: { 'idempotency-key': '4a0d9f41-86e3-4a3d-9d81-2f9a5e6c7b88' },
      answer: { ...ofStudy, code },
    },
    inviteToStudy: {
      params: ofStudy,
      headers: { 'idempotency-key': '5b1ea052-97f4-4b4e-8e92-3a0b6f7d8c99' },
      body: { count: 1, group: 'early' },
      answer: {
        ...ofStudy,
        group: 'early',
        invitations: [
          {
            invitationId: '6e1d3b5c.Zk4VtQ9uYp1LrWx7HhD3mXo8NsJ2bGfEaIi6BtRnCMw',
            code: 'ABCDE-FGHIJ-KLMNO-PQRST',
          },
        ],
      },
    },
    transitionStudy: {
      params: ofStudy,
      headers: { 'if-match': '"3"' },
      body: { to: 'recruiting' },
      answer: open,
    },
    countParticipants: { params: ofStudy, answer: { ...ofStudy, count: null, isFewerThanFive: true } },
    lookUpStudy: { body: { code }, answer: { ...asked, isOpen: true, isAgreed: true, isParticipating: false } },
    joinStudy: { body: { code }, answer: own },
    listOwnStudies: { query: { limit: 20 }, answer: { items: [own], metadata: one } },
    leaveStudy: {
      params: ofStudy,
      query: { keepExported: 'true' },
      answer: {
        success: true,
        ...ofStudy,
        agreementId: definition.agreementId,
        leftAt: '2026-11-22T07:16:40.021Z',
        keepExported: true,
      },
    },
  },
};
