import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { UrgentTicket } from '../../functions/support/rules/urgent-ticket.ts';
import { openKeys } from '../../functions/support/stores/urgent-rows.ts';
import type { Table } from '../../lib/contract/tables.ts';
import type { Kind } from '../architecture/wrong-hands-page.ts';
import { eventually } from '../eventually.ts';
import { partition } from '../partition.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import type { AttackedStage } from './attacked-stage.ts';
import type { Row } from './ways.ts';

/** `said`: what a message about the row has to name. */
export type Victim = { readonly row: Row; readonly said: string };

type Ids = { readonly userId: string; readonly responseId: string; readonly flagId: string; readonly ticketId: string };
type Placed = { readonly Key: Row; readonly said: string; readonly planted: Row };

/** Of these a watcher compares rows with others: of a patient whose answers raised a flag. */
const ofPatients: Readonly<Record<string, (ids: Ids, other: string) => Placed>> = {
  QuestionnaireResponses: ({ userId, responseId }, other) => ({
    Key: { userId, part: `response#${responseId}` },
    said: responseId,
    planted: { part: `response#${other}`, responseId: other },
  }),
  QuestionnaireFlags: ({ flagId }, other) => ({
    Key: { part: `flag#${flagId}`, name: 'flag' },
    said: flagId,
    planted: { part: `flag#${other}`, flagId: other },
  }),
  UrgentTickets: ({ flagId, ticketId }, other) => ({
    Key: { part: `urgent#${ticketId}`, name: 'ticket' },
    said: flagId,
    planted: { part: `urgent#${other}`, ticketId: other },
  }),
};

export const isOfPatients = ({ name }: Table) => name in ofPatients;

/** For a new row: one with an id that nothing else has. */
export async function honestRow(attacked: AttackedStage, { name }: Table, kind: Kind): Promise<Victim | null> {
  const placed = ofPatients[name];
  if (!placed) return null;
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  const responseId = randomUUID();
  const path = `/questionnaires/responses/${responseId}`;
  await call('PUT', path, { questionnaireId: 'phq-9', version: '1.1', answers: phq9(2) });
  expect((await call('POST', `${path}/complete`)).status).toBe(200);
  const { dynamo } = attacked.owner();
  const { name: part } = await eventually(async () => {
    const rows = await partition(dynamo, attacked.table('UrgentTickets'), { part: `user#${userId}` });
    expect(rows).toHaveLength(1);
    return rows[0] ?? {};
  });
  const rowOf = async (table: string, Key: Row) =>
    (await dynamo.send(new GetCommand({ TableName: attacked.table(table), Key }))).Item ?? {};
  const { flagId, ticketId } = await rowOf('UrgentTickets', { part, name: 'ticket' });
  const other = randomUUID();
  const { Key, said, planted } = placed({ userId, responseId, flagId, ticketId }, other);
  const row = await rowOf(name, Key);
  if (kind === 'new') return { row: { ...row, ...planted }, said: other };
  // That a ticket is missing is told when it had time to be opened, and at once that it is on no list.
  if (name === 'UrgentTickets') return { row: { ...openKeys(row as UrgentTicket)[0] }, said };
  return { row, said };
}
