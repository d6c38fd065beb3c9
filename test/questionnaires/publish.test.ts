import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { publish, readVersion } from '../../functions/questionnaires/stores/version-rows.ts';
import { handlesNamed } from '../tables.ts';
import { instrument } from './instruments.ts';

/** A database with this one row, and what was sent to it. */
function database(row?: object) {
  const sent: string[] = [];
  const send = async (command: object) => {
    sent.push(command.constructor.name);
    return { Item: row };
  };
  const tables = handlesNamed({ send } as unknown as DynamoDBDocumentClient, ['Questionnaires', 'AuditEvents']);
  return { tables, sent };
}

test('publishing reads its own database, even if the process has read another one with tables of the same names', async () => {
  const definition = instrument('who-5');
  const { questionnaireId, version } = definition;
  const now = new Date('2026-01-01T00:00:00.000Z');
  const first = database({ content: JSON.stringify({ ...definition, publishedAt: now.toISOString() }) });
  expect(await readVersion(first.tables.Questionnaires, questionnaireId, version)).toMatchObject(definition);

  const second = database();
  const occasion = { application: 'medinfo', actor: 'seed', requestId: 'seed', realNow: now } as const;
  await publish(second.tables, { definition, now, occasion });
  expect(second.sent).toContain('TransactWriteCommand');
});
