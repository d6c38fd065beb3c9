import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { siteOfPart } from '../../access/data-subject.ts';
import type { Relation } from '../rules/site.ts';
import type { RelationTables } from './care-relations.ts';
import type { SiteStaffTables } from './site-staff.ts';

/** Each relation of a patient's, in both tables. */
export const eraseCareRelations: Eraser<keyof RelationTables> = async ({ dynamo, tables }, { userId }) => {
  for await (const { siteId } of queryEach<Relation>(dynamo, ofUser(tables.CareRelations, userId))) {
    const Key = { userId, siteId };
    const TransactItems = deletions([tables.CareRelations, Key], [tables.SitePatients, Key]);
    await dynamo.send(new TransactWriteCommand({ TransactItems }));
  }
};

/** The profile of a member of staff, and each post, in both tables. */
export const eraseStaff: Eraser<keyof SiteStaffTables> = async ({ dynamo, tables }, { userId }) => {
  for await (const { part } of queryEach<{ part: string }>(dynamo, ofUser(tables.Staff, userId))) {
    const siteId = siteOfPart(part);
    const post = siteId === null ? [] : deletions([tables.SiteStaff, { siteId, userId }]);
    const row = deletions([tables.Staff, { userId, part }]);
    await dynamo.send(new TransactWriteCommand({ TransactItems: [...row, ...post] }));
  }
};

function deletions(...rows: (readonly [table: string, key: Readonly<Record<string, string>>])[]) {
  return rows.map(([TableName, Key]) => ({ Delete: { TableName, Key } }));
}

function ofUser(TableName: string, userId: string) {
  return {
    TableName,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
  };
}
