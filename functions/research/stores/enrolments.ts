import { ifAbsent, ifRevision } from '../../../lib/runtime/conditions.ts';
import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import type { Enrolment } from '../rules/enrolment.ts';
import type { Enrolments, Studies, UserEnrolments } from '../tables.ts';
import { goOut } from './studies.ts';

/** Tables `Enrolments` and `UserEnrolments`: two rows of one enrolment, which change together. Every read is strongly consistent. */

type PutTables = {
  readonly Enrolments: Enrolments<'put'>;
  readonly UserEnrolments: UserEnrolments<'put'>;
};

export type EndedTables = PutTables & { readonly Studies: Studies<'update'> };

export type DeletedTables = {
  readonly Enrolments: Enrolments<'remove'>;
  readonly UserEnrolments: UserEnrolments<'remove'>;
  readonly Studies: Studies<'update'>;
};

type Named = Pick<Enrolment, 'studyId' | 'userId'>;

export async function readEnrolment(
  table: Enrolments<'get'> | UserEnrolments<'get'>,
  { studyId, userId }: Named,
): Promise<Enrolment | null> {
  return get(table, { studyId, userId });
}

/** A page of all who ever joined a study, in the order of their ids. @param page `after`: the `userId` that the page before ended with */
export async function readEnrolments(
  table: Enrolments<'query'>,
  studyId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ enrolments: Enrolment[]; next: string | null }> {
  const query = inPartition({ studyId }, { userId: all }, after);
  const { rows: enrolments, next } = await queryPage(table, query, limit);
  return { enrolments, next };
}

/** Of a user, also those that ended, in the order in which the studies were made. */
export async function readEnrolmentPage(
  table: UserEnrolments<'query'>,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ enrolments: Enrolment[]; next: string | null }> {
  const query = inPartition({ userId }, { studyId: all }, after);
  const { rows: enrolments, next } = await queryPage(table, query, limit);
  return { enrolments, next };
}

/** All of a user, also those that ended. */
export async function readEnrolmentsOf(table: UserEnrolments<'query'>, userId: string): Promise<Enrolment[]> {
  return queryAll(table, inPartition({ userId }));
}

/** The items of a transaction that writes an enrolment, on the condition that it is still the one before. */
export function putEnrolment(tables: PutTables, enrolment: Enrolment, before: Enrolment | null) {
  const isStill = before ? isAsRead(before) : ifAbsent('userId');
  return [put(tables.UserEnrolments, enrolment, isStill), put(tables.Enrolments, enrolment)];
}

/** A row on which nobody can count keeps nobody from leaving, and no account from being erased. */
function isAsRead({ revision }: Pick<Enrolment, 'revision'>) {
  return ifRevision('userId', revision);
}

/** The items of a transaction that ends an enrolment, on the condition that it has not changed. */
export function endEnrolment(tables: EndedTables, ended: Enrolment, before: Enrolment) {
  return [...putEnrolment(tables, ended, before), ...(before.leftAt === null ? [goOut(tables.Studies, before)] : [])];
}

/** The items of a transaction that erases it, and takes the user out of the number of participants. @param isCounted whether there is one */
export function deleteEnrolment(tables: DeletedTables, before: Enrolment, isCounted: boolean) {
  const { studyId, userId } = before;
  return [
    remove(tables.UserEnrolments, { userId, studyId }, isAsRead(before)),
    remove(tables.Enrolments, { studyId, userId }),
    ...(isCounted && before.leftAt === null ? [goOut(tables.Studies, before)] : []),
  ];
}
