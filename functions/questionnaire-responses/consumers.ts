import { Accounts } from '../../lib/contract/accounts.ts';
import { readBelow } from '../../lib/contract/bucket-uses.ts';
import { consumer, untilTooOld } from '../../lib/contract/consumer.ts';
import {
  append,
  check,
  discard,
  eventBus,
  get,
  joined,
  read,
  remove,
  sendTo,
  tellOperators,
} from '../../lib/contract/uses.ts';
import { EntitlementStarts, Entitlements } from '../access-codes/tables.ts';
import { AgentBoardMessages } from '../agent-board/tables.ts';
import { begunPrefix, decisionsPrefix, Evidence, requestsPrefix } from '../evidence/buckets.ts';
import { Questionnaires } from '../questionnaires/tables.ts';
import { ResearchExportQueue } from '../research/queues.ts';
import { Users } from '../users/tables.ts';
import { SleepWindowRuns, SleepWindows } from '../window-runs/tables.ts';
import { failedReminders, openFlags } from './metrics.ts';
import { FlagDecisions, QuestionnaireEvidence, QuestionnaireFlags, QuestionnaireResponses } from './tables.ts';

/** What guards flags reads, and what it may put back. Its functions decide nothing: they cannot write a decision. */
const guards = [
  read(QuestionnaireFlags),
  append(QuestionnaireFlags),
  check(QuestionnaireFlags),
  read(QuestionnaireResponses),
  read(Questionnaires),
  get(FlagDecisions),
  append(QuestionnaireEvidence),
  check(Accounts),
  readBelow(Evidence, requestsPrefix),
  readBelow(Evidence, decisionsPrefix),
  readBelow(Evidence, begunPrefix),
  tellOperators(),
] as const;

/** Also the events: a stream has two consumers at most. */
export const watchAnswers = consumer({
  summary:
    'Raises an alarm for completed answers without their flag, which it writes, and for each change of completed answers; tells other services of completed questionnaires',
  application: 'sleepcare',
  stream: QuestionnaireResponses,
  uses: joined(guards, [append(QuestionnaireResponses), eventBus('publish'), sendTo(ResearchExportQueue)]),
  retries: untilTooOld,
  sounds: {
    questionnaireFlagsMissing:
      'Answers that a person must look at were completed without their flag, or it was removed; the flag was written, and its urgent ticket is opened',
    questionnaireAnswersTamperedWith:
      'Somebody changed, removed or planted completed answers with the rights of a function; the table QuestionnaireEvidence has the row as it was',
  },
  impact:
    'A flag that is missing would be found only by the comparison of every day; other services do not learn which questionnaires were completed',
});

/** The same. */
export const watchFlagRows = consumer({
  summary:
    'Raises an alarm for each change of a flag that nobody decided, and puts the flag back; tells other services of flags',
  application: 'sleepcare',
  stream: QuestionnaireFlags,
  uses: joined(guards, [discard(QuestionnaireFlags), eventBus('publish')]),
  retries: untilTooOld,
  sounds: {
    questionnaireFlagsTamperedWith:
      'Somebody changed, removed or planted a flag with the rights of a function: an answer that a person must look at could have been hidden. The flag was put back',
  },
  impact:
    'A flag that somebody takes from the list would be found only by the comparison of every quarter of an hour; other services do not learn of flags',
});

export const watchFlags = consumer({
  summary: 'Counts the flags that nobody has acknowledged, for the alarm',
  application: 'medinfo',
  schedule: 'rate(5 minutes)',
  uses: [read(QuestionnaireFlags)],
  alarm: {
    metric: openFlags,
    impact:
      'Nobody has looked at an answer that a person must look at; it may come from somebody who thinks of self-harm',
  },
  impact: 'The alarm for answers that a person must look at is not updated; the list of flags still has them',
});

export const remindOfQuestionnaires = consumer({
  summary: 'Reminds patients on the agent board of questionnaires: once for each occurrence, and at most twice a week',
  application: 'sleepcare',
  schedule: 'rate(1 hour)',
  uses: [
    read(Questionnaires),
    read(QuestionnaireResponses),
    append(QuestionnaireResponses),
    get(Users),
    get(AgentBoardMessages),
    append(AgentBoardMessages),
    check(Accounts),
    read(EntitlementStarts),
    read(Entitlements),
    read(SleepWindows),
    remove(SleepWindowRuns),
  ],
  alarm: {
    metric: failedReminders,
    impact: 'Some patients are not reminded of questionnaires; the app still shows the questionnaires',
  },
  impact: 'Patients are not reminded of questionnaires that are due; the app still shows the questionnaires',
});
