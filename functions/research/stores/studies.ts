import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { counting } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, update } from '../../../lib/runtime/rows.ts';
import { countRowOf, countRows } from '../../groups/rules.ts';
import { type CounterShard, type Study, type StudyRow, transitions } from '../rules/study.ts';
import type { Studies } from '../tables.ts';

/**
 * Table `Studies`: studies, and the counter shards of each. A join depends on one of them, and not on a row that all joins have in
 * common; they change with the study in one transaction. Every read is strongly consistent.
 */

function studyKey(studyId: string) {
  return { kind: 'study', studyKey: studyId };
}

function studyOf({ kind: _kind, studyKey: _key, ...study }: StudyRow): Study {
  return study;
}

export async function readStudy(table: Studies<'get'>, studyId: string): Promise<Study | null> {
  const row = await get<StudyRow>(table, studyKey(studyId));
  return row && studyOf(row);
}

/** In the order in which they were made. @param page `after`: the `studyId` that the page before ended with */
export async function readStudies(
  table: Studies<'query'>,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ studies: Study[]; next: string | null }> {
  const query = inPartition({ kind: 'study' }, { studyKey: all }, after);
  const { rows, next } = await queryPage<StudyRow>(table, query, limit);
  // An increase of a number makes a row that has nothing else, and a state can be any: it is no study, and hides none.
  const studies = rows.filter(({ createdAt, state }) => createdAt !== undefined && state in transitions).map(studyOf);
  return { studies, next };
}

/** @param studyIds at most 100, each once */
export async function readStudiesOf(
  table: Studies<'batchGet'>,
  studyIds: readonly string[],
): Promise<ReadonlyMap<string, Study>> {
  const rows = studyIds.length === 0 ? [] : await batchGet<StudyRow>(table, studyIds.map(studyKey));
  return new Map(rows.map((row) => [row.studyId, studyOf(row)]));
}

/** How many take part: each join and each end changes it in its own transaction. */
export async function countParticipants(table: Studies<'query'>, studyId: string): Promise<number> {
  const counterShards = await queryAll<CounterShard>(table, inPartition({ kind: counterShardKind(studyId) }));
  return counterShards.reduce((sum, { participants = 0 }) => sum + participants, 0);
}

/** The items of a transaction that makes a study. Its id is new, so nothing is there. */
export function putNewStudy(table: Studies<'put'>, study: Study) {
  const { state } = study;
  return [
    put(table, { ...studyKey(study.studyId), ...study }),
    ...counterShardsOf(study.studyId).map((key) => put(table, { ...key, state, participants: 0 })),
  ];
}

/** The items of a transaction that changes a study, on the condition that it is still the one that was decided on. */
export function putStudy(table: Studies<'put' | 'update'>, study: Study, before: Study) {
  const areAsBefore = study.state === before.state && study.codeId === before.codeId;
  return [
    putDescribed(table, study, before),
    ...(areAsBefore ? [] : counterShardsOf(study.studyId).map((key) => updateCounterShard(table, key, study))),
  ];
}

/** The item of such a transaction where state and code stay. */
export function putDescribed(table: Studies<'put'>, study: Study, before: Study) {
  return put(table, { ...studyKey(study.studyId), ...study }, ifRevision('kind', before.revision));
}

function updateCounterShard(table: Studies<'update'>, key: ReturnType<typeof studyKey>, { state, codeId }: Study) {
  return update(table, key, {
    UpdateExpression: 'SET #state = :state, codeId = :codeId',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':state': state, ':codeId': codeId },
  });
}

/**
 * The item of a transaction that lets a participant in, on the condition that the study still recruits, and that the code is still
 * its code.
 *
 * @param entry `codeId`: null for an invitation, which has its own condition; `isCounted`: the participant is in the number already
 */
export function enter(
  table: Studies<'update'>,
  {
    studyId,
    userId,
    codeId,
    isCounted,
  }: { studyId: string; userId: string; codeId: string | null; isCounted: boolean },
) {
  return update(table, counterShardOf(studyId, countRowOf(userId)), {
    UpdateExpression: 'ADD participants :by',
    ConditionExpression: `#state = :recruiting${codeId === null ? '' : ' AND codeId = :codeId'}`,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':by': isCounted ? 0 : 1,
      ':recruiting': 'recruiting',
      ...(codeId !== null && { ':codeId': codeId }),
    },
  });
}

/** The item of a transaction that ends a participation, in whatever state the study is, and also where there is none: nothing keeps anybody in. */
export function goOut(table: Studies<'update'>, { studyId, userId }: { studyId: string; userId: string }) {
  const change = { UpdateExpression: 'ADD participants :by', ExpressionAttributeValues: { ':by': -1 } };
  return counting(update(table, counterShardOf(studyId, countRowOf(userId)), change));
}

function counterShardKind(studyId: string): string {
  return `door#${studyId}`;
}

function counterShardOf(studyId: string, row: number) {
  return { kind: counterShardKind(studyId), studyKey: String(row).padStart(2, '0') };
}

function counterShardsOf(studyId: string) {
  return Array.from({ length: countRows }, (_, row) => counterShardOf(studyId, row));
}
