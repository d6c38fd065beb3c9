import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { FlagOutcome } from '../../functions/questionnaire-responses/rules/flag.ts';
import { acknowledge, endFlag } from '../../functions/questionnaire-responses/stores/flag-decisions.ts';
import {
  amendResponse,
  completeResponse,
} from '../../functions/questionnaire-responses/workflows/complete-response.ts';
import { type SentDraft, writeDraft } from '../../functions/questionnaire-responses/workflows/write-draft.ts';
import type { Entitlement } from '../../functions/questionnaires/rules/bundle.ts';
import type { Answer } from '../../functions/questionnaires/rules/definition.ts';
import { seedQuestionnaires } from '../../functions/questionnaires/seed/seed.ts';
import { localTables } from '../local-tables.ts';
import { type Instrument, instrument, phq9 } from '../questionnaires/instruments.ts';

/** Responses on the local DynamoDB, driven without HTTP: order, clock and entitlements are the test's. */

export type OpenResponses = Awaited<ReturnType<typeof openResponses>>;

export async function openResponses() {
  /** Done before the next transaction is sent, and what each user has. */
  const plan: { first?: (() => Promise<unknown>) | undefined; entitlements: readonly Entitlement[] } = {
    entitlements: [],
  };
  const { client, tables } = await localTables([
    'SleepWindows',
    'SleepWindowRuns',
    'Questionnaires',
    'QuestionnaireResponses',
    'QuestionnaireFlags',
    'FlagDecisions',
    'QuestionnaireEvidence',
    'Users',
    'AgentBoardMessages',
    'Accounts',
    'AuditEvents',
  ]);
  await seedQuestionnaires({ tables });
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const act = context.commandName === 'TransactWriteItemsCommand' ? plan.first : undefined;
      if (act) plan.first = undefined;
      await act?.();
      return next(args);
    },
    { step: 'initialize' },
  );
  const deps = (userId: string, now: string) => ({
    tables,
    userId,
    now: new Date(now),
    entitlements: async () => plan.entitlements,
  });
  const entitlement = async (_userId: string, entitlementId: string) =>
    plan.entitlements.find((each) => each.entitlementId === entitlementId) ?? null;
  const occasion = { application: 'medinfo', actor: 'safety', requestId: 'r', realNow: new Date() };
  const rows = async (table: keyof typeof tables) =>
    (await client.send(new ScanCommand({ TableName: table, ConsistentRead: true }))).Items ?? [];

  return {
    tables,
    plan,
    deps,
    rows,
    write: (userId: string, now: string, more: Partial<SentDraft> = {}) => {
      const { questionnaireId = 'phq-9' } = more;
      const { version } = instrument(questionnaireId as Instrument);
      const sent = { questionnaireId, version, bundleId: null, answers: phq9() };
      const how = { responseId: randomUUID(), recordedAt: null, ifMatch: undefined };
      return writeDraft(deps(userId, now), { ...sent, ...how, ...more });
    },
    complete: (
      userId: string,
      now: string,
      responseId: string,
      recordedAt: string | null = null,
      ifMatch: string | undefined = undefined,
    ) => completeResponse({ ...deps(userId, now), entitlement }, { responseId, recordedAt, ifMatch }),
    amend: (userId: string, now: string, amends: string, answers: Answer[]) => {
      const how = { responseId: randomUUID(), recordedAt: null, ifMatch: undefined };
      return amendResponse(deps(userId, now), { ...how, amends, answers });
    },
    acknowledge: (flagId: string, now: string) => acknowledge(tables, { flagId, now: new Date(now), occasion }),
    end: (flagId: string, now: string, outcome: FlagOutcome, ended: string | undefined = undefined) =>
      endFlag(tables, { flagId, userId: ended, outcome, now: new Date(now), occasion }),
    /** A user's, as the lists have them. */
    flagsOf: async (userId: string) => {
      const found = (await rows('QuestionnaireFlags')).filter((row) => row.userId === userId);
      return { all: found, open: found.filter(({ part }) => part === 'open') };
    },
  };
}
