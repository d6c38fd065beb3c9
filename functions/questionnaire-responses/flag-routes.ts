import * as z from 'zod/mini';
import { pathId } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, read, replace } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { dataSharing, safetyRole } from '../product.ts';
import { UserNotFound } from '../users/errors.ts';
import { QuestionnaireFlagEnded, QuestionnaireFlagNotFound } from './errors.ts';
import { endFlags, readFlags } from './permissions.ts';
import { FlagOutcome, QuestionnaireFlag } from './schemas.ts';
import { FlagDecisions, QuestionnaireFlags } from './tables.ts';

/** The routes by which staff see to flags. */

/** No other function may write a decision. */
const decides = [
  read(QuestionnaireFlags),
  replace(QuestionnaireFlags),
  append(FlagDecisions),
  append(AuditEvents),
] as const;

export const listFlags = route({
  method: 'GET',
  path: '/questionnaires/flags',
  summary: 'Answers that a person must look at',
  description:
    'The open flags, oldest first; with `state=acknowledged` those that somebody has acknowledged and nobody has ' +
    'ended, with `state=ended` those with an outcome, newest first. An alarm is on as long as a flag is open.',
  applications: ['medinfo'],
  auth: readFlags,
  dataSubject: { each: 'userId', relation: 'safety', role: safetyRole },
  uses: [read(QuestionnaireFlags)],
  query: z.object({ state: z.optional(z.enum(['open', 'acknowledged', 'ended'])) }),
  cursor: 'name',
  items: QuestionnaireFlag,
  errors: [],
});

export const acknowledgeFlag = route({
  method: 'POST',
  path: '/questionnaires/flags/{flagId}/acknowledge',
  summary: 'Acknowledges a flag: the caller takes care of it',
  description:
    'Somebody has seen it, and it is not escalated any more. The sleep window of the patient stays suspended until the ' +
    'flag is cleared. Idempotent: the first person who acknowledged the flag stays recorded. The first request writes ' +
    'an audit event.',
  applications: ['medinfo'],
  auth: readFlags,
  dataSubject: { each: 'userId', relation: 'safety', role: safetyRole },
  uses: decides,
  params: z.object({ flagId: pathId(QuestionnaireFlagNotFound) }),
  response: QuestionnaireFlag,
  errors: [QuestionnaireFlagNotFound],
});

const ending = z.object({ outcome: FlagOutcome });

export const endFlag = route({
  method: 'POST',
  path: '/questionnaires/flags/{flagId}/outcome',
  summary: 'Records how a flag ended',
  description:
    '`cleared`: the patient can go on with the sleep window. `referred` and `not-reached` leave it suspended, and ' +
    '`cleared` can follow them. The same outcome is recorded once, with an audit event. It also acknowledges the flag.',
  applications: ['medinfo'],
  auth: readFlags,
  dataSubject: { each: 'userId', relation: 'safety', role: safetyRole },
  uses: decides,
  params: z.object({ flagId: pathId(QuestionnaireFlagNotFound) }),
  body: ending,
  response: QuestionnaireFlag,
  errors: [QuestionnaireFlagNotFound, QuestionnaireFlagEnded],
});

export const listFlagsOfPatient = route({
  method: 'GET',
  path: '/users/{userId}/questionnaires/flags',
  summary: "The flags of a patient of the caller's sites",
  description: 'In the order of their ids, whatever became of them.',
  applications: ['medinfo'],
  auth: endFlags,
  dataSubject: { param: 'userId', relation: 'care', consent: dataSharing },
  uses: [read(QuestionnaireFlags)],
  params: z.object({ userId: pathId(UserNotFound) }),
  cursor: 'flagId',
  items: QuestionnaireFlag,
  errors: [UserNotFound],
});

export const endFlagOfPatient = route({
  method: 'POST',
  path: '/users/{userId}/questionnaires/flags/{flagId}/outcome',
  summary: "Records how a flag of a patient of the caller's sites ended",
  description: 'As `clinical-safety` records it.',
  applications: ['medinfo'],
  auth: endFlags,
  dataSubject: { param: 'userId', relation: 'care', consent: dataSharing },
  uses: decides,
  params: z.object({ userId: pathId(UserNotFound), flagId: pathId(QuestionnaireFlagNotFound) }),
  body: ending,
  response: QuestionnaireFlag,
  errors: [UserNotFound, QuestionnaireFlagNotFound, QuestionnaireFlagEnded],
});
