import * as z from 'zod/mini';
import { ConsentRequired, PreconditionFailed, PreconditionRequired } from '../../lib/contract/common-errors.ts';
import { Id, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { adjust, append, batch, check, get, joined, read, replace, withSecret } from '../../lib/contract/uses.ts';
import { ConsentStates } from '../access/consent-states.ts';
import { Agreements } from '../agreements/tables.ts';
import { AuditEvents } from '../audit/tables.ts';
import { ConsentRecords } from '../consents/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import {
  StudyAgreementUnfit,
  StudyCodeNotFound,
  StudyFrozen,
  StudyGroupNotFound,
  StudyInvitationUsed,
  StudyNotFound,
  StudyNotRecruiting,
  StudyTransitionRefused,
  TooManyStudies,
} from './errors.ts';
import { administerStudies, joinStudies } from './permissions.ts';
import { OwnStudy, Study, StudyDefinition, StudyGroupName, StudyOffer, states } from './schemas.ts';
import { StudyCodeKey } from './secrets.ts';
import { Enrolments, Studies, StudyCodes, StudyKeys, UserEnrolments } from './tables.ts';

const staff = ['medinfo'] as const;
const mobile = ['sleepcare'] as const;
const ofStudy = z.object({ studyId: pathId(StudyNotFound) });
const ifMatch = z.object({ 'if-match': z.optional(z.string()) });

export const createStudy = route({
  method: 'POST',
  path: '/research/studies',
  summary: 'Creates a study, as a draft',
  description: withKeyNote(
    'What the study collects can change only while it is a draft. Together: `period.until` is not before `period.from`.',
  ),
  applications: staff,
  auth: administerStudies,
  uses: joined(
    [get(Studies), append(Studies), append(StudyKeys), read(Agreements), append(AuditEvents)],
    idempotencyUses,
  ),
  headers: idempotencyHeaders,
  body: StudyDefinition,
  status: 201,
  response: Study,
  errors: [StudyAgreementUnfit, IdempotencyKeyReused],
});

export const listStudies = route({
  method: 'GET',
  path: '/research/studies',
  summary: 'All studies, in the order in which they were created',
  applications: staff,
  auth: administerStudies,
  uses: [read(Studies)],
  cursor: 'studyId',
  items: Study,
  errors: [],
});

export const readStudy = route({
  method: 'GET',
  path: '/research/studies/{studyId}',
  summary: 'A study',
  applications: staff,
  auth: administerStudies,
  uses: [get(Studies)],
  params: ofStudy,
  response: Study,
  etag: true,
  errors: [StudyNotFound],
});

export const replaceStudy = route({
  method: 'PUT',
  path: '/research/studies/{studyId}',
  summary: 'Changes a study',
  description:
    'After the draft only the title can change: participants have agreed to the rest. `If-Match` is required. ' +
    'Together: `period.until` is not before `period.from`.',
  applications: staff,
  auth: administerStudies,
  uses: [get(Studies), append(Studies), read(Agreements), append(AuditEvents)],
  headers: ifMatch,
  params: ofStudy,
  body: StudyDefinition,
  response: Study,
  etag: true,
  errors: [StudyNotFound, StudyAgreementUnfit, StudyFrozen, PreconditionFailed, PreconditionRequired],
});

export const transitionStudy = route({
  method: 'POST',
  path: '/research/studies/{studyId}/transition',
  summary: 'Moves a study to its next state',
  description:
    'The order is `draft`, `recruiting`, `closed`, `archived`. Participants join only while it is `recruiting`; they can leave in every state. `If-Match` is required.',
  applications: staff,
  auth: administerStudies,
  uses: [get(Studies), append(Studies), adjust(Studies), append(AuditEvents)],
  headers: ifMatch,
  params: ofStudy,
  body: z.object({ to: z.enum(states) }),
  response: Study,
  etag: true,
  errors: [StudyNotFound, StudyTransitionRefused, PreconditionFailed, PreconditionRequired],
});

export const renewStudyCode = route({
  method: 'POST',
  path: '/research/studies/{studyId}/code',
  summary: 'Makes a new code with which participants can join a study',
  description: withKeyNote(
    'Only this answer has the code. The old code stops working; participants stay. If a study has no code, only invited people can join.',
  ),
  applications: staff,
  auth: administerStudies,
  uses: joined(
    [
      get(Studies),
      append(Studies),
      adjust(Studies),
      replace(StudyCodes),
      append(AuditEvents),
      withSecret(StudyCodeKey),
    ],
    idempotencyUses,
  ),
  headers: idempotencyHeaders,
  params: ofStudy,
  response: z.object({ studyId: Id, code: z.string() }),
  errors: [StudyNotFound, StudyNotRecruiting, IdempotencyKeyReused],
});

export const StudyInvitation = z.object({ invitationId: Id, code: z.string() });

export const inviteToStudy = route({
  method: 'POST',
  path: '/research/studies/{studyId}/invitations',
  summary: 'Issues invitations to a study',
  description: withKeyNote(
    'Each invitation is a code that one person can use once. Only this answer has the codes. A person who joins with an invitation is in `group`.',
  ),
  applications: staff,
  auth: administerStudies,
  uses: joined([get(Studies), append(StudyCodes), append(AuditEvents), withSecret(StudyCodeKey)], idempotencyUses),
  headers: idempotencyHeaders,
  params: ofStudy,
  body: z.object({ count: z.int().check(z.gte(1), z.lte(50)), group: z.optional(StudyGroupName) }),
  status: 201,
  response: z.object({ studyId: Id, group: z.nullable(z.string()), invitations: z.array(StudyInvitation) }),
  errors: [StudyNotFound, StudyNotRecruiting, StudyGroupNotFound, IdempotencyKeyReused],
});

export const countParticipants = route({
  method: 'GET',
  path: '/research/studies/{studyId}/participants',
  summary: 'How many take part in a study',
  description:
    'The answer has only the number of participants. For fewer than five, `count` is null and `isFewerThanFive` is true. People who closed their account are counted until the erasure.',
  applications: staff,
  auth: administerStudies,
  uses: [read(Studies)],
  params: ofStudy,
  response: z.object({ studyId: Id, count: z.nullable(z.int()), isFewerThanFive: z.boolean() }),
  errors: [StudyNotFound],
});

/** As it is typed or pasted, of whatever length: what is no code is an unknown one. */
const typed = z.object({ code: z.string().check(z.maxLength(200)) });

export const lookUpStudy = route({
  method: 'POST',
  path: '/users/me/studies/lookup',
  summary: 'What the study of a code asks of its participants',
  description:
    'Show this before the caller agrees. The request is a POST, so that no code appears in a URL. Case, spaces and hyphens do not matter.',
  applications: mobile,
  auth: joinStudies,
  uses: [get(StudyCodes), get(Studies), get(UserEnrolments), get(ConsentStates), withSecret(StudyCodeKey)],
  body: typed,
  response: StudyOffer,
  errors: [StudyCodeNotFound],
});

export const joinStudy = route({
  method: 'POST',
  path: '/users/me/studies',
  summary: 'Joins the study of a code',
  description:
    'The caller needs the code of the study or an invitation, and must have agreed to the agreement of the study. A participant who repeats the request gets the same answer.',
  applications: mobile,
  auth: joinStudies,
  uses: [
    get(StudyCodes),
    append(StudyCodes),
    get(Studies),
    adjust(Studies),
    read(UserEnrolments),
    append(UserEnrolments),
    append(Enrolments),
    get(ConsentStates),
    check(ConsentStates),
    withSecret(StudyCodeKey),
  ],
  body: typed,
  response: OwnStudy,
  errors: [StudyCodeNotFound, ConsentRequired, StudyNotRecruiting, StudyInvitationUsed, TooManyStudies],
});

export const listOwnStudies = route({
  method: 'GET',
  path: '/users/me/studies',
  summary: 'The studies that the caller has joined, including those that the caller has left',
  applications: mobile,
  auth: joinStudies,
  uses: [read(UserEnrolments), batch(Studies), read(ConsentStates)],
  cursor: 'studyId',
  items: OwnStudy,
  errors: [],
});

export const leaveStudy = route({
  method: 'DELETE',
  path: '/users/me/studies/{studyId}',
  summary: 'Leaves a study, and revokes the consent to its agreement',
  description:
    'The caller also leaves every other study with the same agreement. With `keepExported=true`, files that already exist may keep the data of the caller. Idempotent: a later request can change this choice.',
  applications: mobile,
  auth: joinStudies,
  uses: [
    read(UserEnrolments),
    append(UserEnrolments),
    get(Enrolments),
    append(Enrolments),
    adjust(Studies),
    get(ConsentStates),
    append(ConsentStates),
    read(ConsentRecords),
    append(ConsentRecords),
  ],
  params: ofStudy,
  query: z.object({
    keepExported: z.optional(
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((text) => text === 'true'),
      ),
    ),
  }),
  response: z.object({
    success: z.boolean(),
    studyId: Id,
    agreementId: Id,
    leftAt: Timestamp,
    keepExported: z.boolean(),
  }),
  errors: [StudyNotFound],
});
