import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { keep } from '../../../lib/runtime/immutable-cache.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { publishVersion, readHeadPage, readPublished } from '../../../lib/runtime/published-versions.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditOccasion, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { coursePublished } from '../audit-actions.ts';
import type { Head, PublishedCourse } from '../rules/course.ts';
import type { Courses } from '../tables.ts';

/** Table `Courses`: the versions, and which one is current (lib/runtime/published-versions.ts). */

const heads = 'courses';
/** 50 are kept, of some 20 KB. Pure: a bundle that reads none has none of it. */
const shelf = { heads, versions: 'course', kept: /* @__PURE__ */ keep<PublishedCourse>(50) };

export function headKey(courseId: string) {
  return { part: heads, name: courseId };
}

export async function readVersion(
  table: Courses<'get'>,
  { courseId, version }: Pick<Head, 'courseId' | 'version'>,
): Promise<PublishedCourse | null> {
  return readPublished(table, shelf, courseId, version);
}

/** The current version. */
export async function readCurrent(table: Courses<'get'>, courseId: string): Promise<PublishedCourse | null> {
  return readPublished(table, shelf, courseId);
}

/** A page of the current versions, by id. */
export async function readCoursePage(
  table: Courses<'get' | 'query'>,
  page: { limit: number; after: string | null },
): Promise<{ courses: PublishedCourse[]; next: string | null }> {
  const { rows, next } = await readHeadPage<Head>(table, heads, page);
  const found = await mapWithConcurrency(rows, 8, (head) => readVersion(table, head));
  return { courses: found.filter((course) => course !== null), next };
}

/** Bytes: DynamoDB takes rows of 400 KB. */
export const longestContent = 300_000;

/** Of a version's row, as UTF-8. */
export function contentBytes(course: unknown): number {
  return Buffer.byteLength(JSON.stringify(course));
}

export type Publication = {
  readonly course: PublishedCourse;
  readonly occasion: AuditOccasion;
};

/** @returns the version as it was published first; null where it is published with other content */
export async function putVersion(
  tables: {
    readonly Courses: Courses<'get' | 'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
  },
  { course, occasion }: Publication,
): Promise<PublishedCourse | null> {
  const { courseId, version, title, publishedAt } = course;
  return publishVersion(tables.Courses, shelf, {
    id: courseId,
    version,
    published: course,
    head: { courseId, publishedAt },
    isSame: (known) => isSame(known, course),
    audit: (before) => {
      const subject = `course/${courseId}/${version}`;
      const said = { ...occasion, action: coursePublished, subject, before, after: { version, title } };
      return auditPut(tables.AuditEvents, auditEvent({ ...said, realNow: new Date(), random: randomUUID() }));
    },
  });
}

/** What its author wrote: packages are made of it, and another release of what packs them makes other bytes. */
function isSame(one: PublishedCourse, other: PublishedCourse): boolean {
  return isDeepStrictEqual(authored(one), authored(other));
}

function authored(course: PublishedCourse): unknown {
  const { publishedAt: _publishedAt, modules, ...rest } = course;
  const plain = { ...rest, modules: modules.map(({ packages: _packages, ...module }) => module) };
  // As it is stored, and without where objects lie: their hashes say what they are.
  return JSON.parse(JSON.stringify(plain, (name, value) => (name === 'objectVersionId' ? undefined : value)));
}
