import type { DynamoDBRecord, StreamRecord } from 'aws-lambda';
import { hashOfUser, type Line } from '../../../lib/runtime/log.ts';
import { type Operators, tellFindings } from '../../evidence/exports.ts';
import { isOfValue, misdatingOf, shownText } from '../../evidence/rules.ts';
import { answersTampered } from '../metrics.ts';
import { isId } from '../rules/flag-image.ts';
import { type ResponseChange, responseChangeOf } from '../rules/response-change.ts';
import { isConfirmed } from '../stores/confirmed.ts';
import { type FlagFinding, guardAnswers } from '../stores/guarded-flags.ts';
import { isErasureBegun, layEvidence } from '../stores/guards.ts';
import { type KeepingGuards, plainImage, putBackAnswers } from '../stores/kept-answers.ts';

type Watching = KeepingGuards & {
  /** No clock of the business rules differs from DynamoDB's. */
  readonly isDated: boolean;
  readonly operators: Operators;
  readonly log: (line: Line, metrics?: Readonly<Record<string, number>>) => void;
};

/**
 * Examines each change of completed answers. New ones have the flags that they must have, and are in the lists as they are. Old ones
 * are neither changed nor removed, and what corrects them is there. Removed answers are put back; of others people decide which are
 * right.
 *
 * @returns the flags that were missing
 */
export async function examineAnswers(records: readonly DynamoDBRecord[], watching: Watching): Promise<FlagFinding[]> {
  const missing: FlagFinding[] = [];
  const tampered: string[] = [];
  try {
    for (const record of records) {
      const change = responseChangeOf(record.dynamodb ?? {});
      if (change === null) continue;
      if (isNew(record)) missing.push(...(await flagsOf(record, watching).catch(unreadable)));
      const suspicion = await suspicionOf(change, record, watching).catch((error: unknown) => {
        if (isOfValue(error)) return 'unreadable' as const;
        throw error;
      });
      if (suspicion) tampered.push(...(await tamperedIn(record, suspicion, watching)));
    }
  } finally {
    // Also where one of them cannot be examined now, and all come again.
    await tellFindings(watching.operators, {
      subject: 'completed answers tampered with',
      lines: tampered,
      where: 'What to do: docs/runbook.md#questionnaire-answers-tampered-with',
    });
  }
  return missing;
}

/** A response became complete: whatever else its row says, its answers have flags. */
function isNew({ dynamodb: { OldImage, NewImage } = {} }: DynamoDBRecord): boolean {
  return OldImage?.status?.S !== 'completed' && NewImage?.part?.S?.startsWith('response#') === true;
}

type Suspicion = 'changed' | 'removed' | 'unconfirmed' | 'unreadable' | 'postdated';

async function suspicionOf(
  change: ResponseChange,
  { dynamodb = {} }: DynamoDBRecord,
  watching: Watching,
): Promise<Suspicion | null> {
  if (change === 'changed' || change === 'removed') return change;
  if (watching.isDated && isPostdated(dynamodb)) return 'postdated';
  if (change === 'completed') return null;
  const { OldImage, NewImage = {} } = dynamodb;
  const before = change === 'corrected' && OldImage?.status?.S === 'completed' ? plainImage(OldImage) : null;
  return (await isConfirmed(watching, before, plainImage(NewImage))) ? null : 'unconfirmed';
}

/** Answers of a time to come would be a patient's last ones for ever. */
function isPostdated({ NewImage = {}, ApproximateCreationDateTime: seconds = 0 }: StreamRecord): boolean {
  const { completedAt, answersReceivedAt, recordedAt } = NewImage;
  return [completedAt, answersReceivedAt, recordedAt].some(
    (time) => time?.S !== undefined && misdatingOf(time.S, new Date(seconds * 1000)) === 'postdated',
  );
}

const ofNoId: FlagFinding = {
  flagId: 'of a response without id',
  ticketId: null,
  suspicion: 'unreadable',
  isBack: false,
};

function unreadable(error: unknown): FlagFinding[] {
  if (isOfValue(error)) return [ofNoId];
  throw error;
}

async function flagsOf({ dynamodb = {} }: DynamoDBRecord, watching: Watching): Promise<FlagFinding[]> {
  const { userId, part } = dynamodb.NewImage ?? {};
  // By its key: what else the row says, may be of another response.
  const [owner, responseId] = [userId?.S, part?.S?.slice('response#'.length)];
  if (isId(owner) && isId(responseId)) return guardAnswers(watching, { userId: owner, responseId });
  return [ofNoId];
}

async function tamperedIn(
  { dynamodb = {}, eventID = '' }: DynamoDBRecord,
  suspicion: Suspicion,
  watching: Watching,
): Promise<string[]> {
  const { OldImage } = dynamodb;
  const [userId, part] = [String(dynamodb.Keys?.userId?.S), String(dynamodb.Keys?.part?.S)];
  if (await isErasureBegun(watching, userId)) return [];
  await layEvidence(watching, userId, { ...dynamodb, eventId: eventID, table: 'QuestionnaireResponses', suspicion });
  const isBack =
    suspicion === 'removed' && OldImage !== undefined && (await putBackAnswers(watching, userId, OldImage));
  const user = hashOfUser(userId);
  const line = { level: 'ERROR', message: 'completed answers were changed', suspicion, user, part, isBack } as const;
  watching.log(line, { [answersTampered]: 1 });
  const became = isBack ? 'put back' : 'not put back';
  return [`user ${user}, row ${shownText(part)}: ${suspicion}, ${became}; evidence QuestionnaireResponses#${eventID}`];
}
