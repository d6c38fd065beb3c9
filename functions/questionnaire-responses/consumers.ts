import { Accounts } from '../../lib/contract/accounts.ts';
import { consumer, twentyThreeHours, untilTooOld } from '../../lib/contract/consumer.ts';
import { append, check, eventBus, get, read, remove, sendTo } from '../../lib/contract/uses.ts';
import { EntitlementStarts, Entitlements } from '../access-codes/tables.ts';
import { AgentBoardMessages } from '../agent-board/tables.ts';
import { Questionnaires } from '../questionnaires/tables.ts';
import { ResearchExportQueue } from '../research/queues.ts';
import { Users } from '../users/tables.ts';
import { SleepWindowRuns, SleepWindows } from '../window-runs/tables.ts';
import { failedReminders, openFlags } from './metrics.ts';
import { QuestionnaireFlags, QuestionnaireResponses } from './tables.ts';

export const publishResponseEvents = consumer({
  summary: 'Tells other services of each completed questionnaire',
  application: 'sleepcare',
  stream: QuestionnaireResponses,
  uses: [eventBus('publish'), sendTo(ResearchExportQueue)],
  batchSize: 100,
  windowSeconds: 0,
  retries: untilTooOld,
  maxAgeSeconds: twentyThreeHours,
  impact: 'Other services do not learn which questionnaires were completed; the responses themselves are untouched',
});

export const publishFlagEvents = consumer({
  summary: 'Tells other services of each flag that a person must look at',
  application: 'sleepcare',
  stream: QuestionnaireFlags,
  uses: [eventBus('publish')],
  batchSize: 100,
  windowSeconds: 0,
  retries: untilTooOld,
  maxAgeSeconds: twentyThreeHours,
  impact: 'Other services do not learn of flags that a person must look at; the list of flags and its alarm still work',
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
