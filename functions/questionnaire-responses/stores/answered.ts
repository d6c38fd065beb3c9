import { scanEach } from '../../../lib/runtime/scan-each.ts';
import type { Hint } from '../rules/flag-image.ts';
import type { QuestionnaireResponses } from '../tables.ts';

/** Each completed response of any user, by its own row: a walk of the whole table. */
export async function* eachAnswered(table: QuestionnaireResponses<'scan'>): AsyncGenerator<Hint> {
  const rows = scanEach<{ userId: string; part: string }>(table, {
    FilterExpression: 'begins_with(part, :response) AND #status = :completed',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':response': 'response#', ':completed': 'completed' },
    ProjectionExpression: 'userId, part',
  });
  for await (const { userId, part } of rows) yield { userId, responseId: part.slice('response#'.length) };
}
