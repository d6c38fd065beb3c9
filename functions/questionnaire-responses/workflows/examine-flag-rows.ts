import type { DynamoDBRecord } from 'aws-lambda';
import { isOfValue } from '../../evidence/rules.ts';
import { flagIdOfRow, hintsIn } from '../rules/flag-image.ts';
import { type FlagFinding, guardFlag, type ListGuards } from '../stores/guarded-flags.ts';

/** Examines each flag of which a row changed: once for a batch. A row whose key names no flag is planted. */
export async function examineFlagRows(records: readonly DynamoDBRecord[], guards: ListGuards): Promise<FlagFinding[]> {
  const changes = records.map(({ eventID = '', dynamodb = {} }) => ({ ...dynamodb, eventId: eventID }));
  const found: FlagFinding[] = [];
  for (const [flagId, own] of Map.groupBy(changes, flagIdOfRow)) {
    if (flagId === null) {
      const unknown = { flagId: 'unknown', ticketId: null, suspicion: 'planted', isBack: false } as const;
      if (own.some(({ NewImage }) => NewImage !== undefined)) found.push(unknown);
      continue;
    }
    const said = { hints: own.flatMap(hintsIn), changes: own, lists: guards.tables.QuestionnaireFlags };
    const finding = await guardFlag(guards, flagId, said).catch((error: unknown): FlagFinding => {
      if (isOfValue(error)) return { flagId, ticketId: null, suspicion: 'unreadable', isBack: false };
      throw error;
    });
    if (finding) found.push(finding);
  }
  return found;
}
