import { programmesWith } from '../../sleep/rules.ts';

/** A course as it is published: what a version has in its row. Pure. */

/** By BCP 47 language tag. */
type Texts = Readonly<Record<string, string>>;

/** Data, which rules/unlock.ts interprets. `after` is a unit's id; days count from the entitlement's first one, which is 0. */
export type Unlock =
  | { readonly after: string }
  | { readonly day: number }
  | { readonly questionnaire: string }
  | { readonly all: readonly Unlock[] }
  | { readonly any: readonly Unlock[] };

/** An object version in the bucket `CourseFiles`. */
export type StoredFile = {
  readonly key: string;
  readonly objectVersionId: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
};

export type ByLocale<T> = Readonly<Record<string, T>>;

export const unitTypes = ['text', 'video', 'audio', 'quiz'] as const;

export type Question = {
  readonly questionId: string;
  readonly text: Texts;
  readonly options: readonly { readonly value: string; readonly text: Texts; readonly isCorrect: boolean }[];
  readonly explanation: Texts;
};

/** @typeParam File what stands for a file: a name in a folder, or where it is stored */
export type Unit<File = StoredFile> = {
  readonly unitId: string;
  readonly type: (typeof unitTypes)[number];
  readonly title: Texts;
  readonly minutes: number;
  readonly unlock: Unlock | null;
  /** Each in all languages of the course, or not at all. */
  readonly text: ByLocale<File> | null;
  /** By programme, where one text cannot be true in all of them; `text` is null then. */
  readonly variants: Readonly<Record<string, ByLocale<File>>> | null;
  readonly media: ByLocale<File> | null;
  readonly subtitles: ByLocale<File> | null;
  /** None but of a quiz. */
  readonly questions: readonly Question[];
};

export type Module<File = StoredFile> = {
  readonly moduleId: string;
  readonly title: Texts;
  readonly unlock: Unlock | null;
  readonly units: readonly Unit<File>[];
};

export type Course<File = StoredFile, M = Module<File>> = {
  readonly courseId: string;
  readonly version: string;
  readonly title: Texts;
  readonly description: Texts;
  readonly defaultLocale: string;
  readonly locales: readonly string[];
  readonly requiresEntitlement: boolean;
  readonly modules: readonly M[];
};

/** The ZIPs of a module by language, which publishing makes. `programmeId` is null if they are the same in all programmes. */
export type Packages = { readonly programmeId: string | null; readonly files: ByLocale<StoredFile> };
export type PublishedModule = Module & { readonly packages: readonly Packages[] };
export type PublishedCourse = Course<StoredFile, PublishedModule> & { readonly publishedAt: string };

/** Which version of a course is current. */
export type Head = Pick<PublishedCourse, 'courseId' | 'version' | 'publishedAt'> & { readonly revision: number };
/** `content` is a version, as JSON. */
export type CoursesRow = { readonly part: string; readonly name: string } & (Head | { readonly content: string });

/** The part of a unit's id before the dot is its course's: a unit is found without an index. */
export function courseOfUnit(unitId: string): string {
  // DynamoDB takes no empty key; no course has an id with a dot.
  return unitId.split('.', 1)[0] || unitId;
}

export function unitIdOf(courseId: string, name: string): string {
  return `${courseId}.${name}`;
}

export function unitsOf<File, M extends Module<File>>({ modules }: Course<File, M>): Unit<File>[] {
  return modules.flatMap(({ units }) => units);
}

/** The text that readers in a programme get. */
export function textFor<File>({ text, variants }: Unit<File>, programmeId: string | null): ByLocale<File> | null {
  if (!variants) return text;
  return (programmeId === null ? null : variants[programmeId]) ?? null;
}

/** The programmes for which a module differs, or null alone if it is the same in all. */
export function editionsOf<File>(
  { courseId }: Pick<Course, 'courseId'>,
  { units }: Module<File>,
): readonly (string | null)[] {
  return units.some(({ variants }) => variants) ? programmesWith(courseId) : [null];
}

export function packageFor({ packages }: PublishedModule, programmeId: string | null): ByLocale<StoredFile> | null {
  const own = packages.find((each) => each.programmeId === null || each.programmeId === programmeId);
  return own?.files ?? null;
}

export function findUnit(course: PublishedCourse, unitId: string): { module: PublishedModule; unit: Unit } | null {
  for (const module of course.modules) {
    const unit = module.units.find((each) => each.unitId === unitId);
    if (unit) return { module, unit };
  }
  return null;
}

/** The questionnaires that any rule of the course names. */
export function questionnairesIn({ modules }: Course<unknown, Module<unknown>>): string[] {
  const rules = modules.flatMap(({ unlock, units }) => [unlock, ...units.map((unit) => unit.unlock)]);
  return [...new Set(rules.flatMap((rule) => (rule ? namedBy(rule) : [])))];
}

function namedBy(rule: Unlock): string[] {
  if ('questionnaire' in rule) return [rule.questionnaire];
  if ('all' in rule) return rule.all.flatMap(namedBy);
  return 'any' in rule ? rule.any.flatMap(namedBy) : [];
}
