import { findUnit, type Module, type PublishedCourse, type PublishedModule, type Unit, unitsOf } from './course.ts';
import { type CourseProgress, unitIn } from './progress.ts';
import { type Facts, isModuleOpen, type Missing, missingForModule, missingForUnit } from './unlock.ts';

/** What a patient is shown of a course. Pure. */

type UnitInCourse = { readonly module: Module; readonly unit: Unit; readonly lockedBy: Missing[] };

function unitsIn(course: PublishedCourse, facts: Facts): UnitInCourse[] {
  return course.modules.flatMap((module) =>
    module.units.map((unit) => ({ module, unit, lockedBy: missingForUnit(course, module, unit, facts) })),
  );
}

/** The first unit that is unlocked and not completed. */
export function nextUnit(course: PublishedCourse, facts: Facts): Unit | null {
  const open = unitsIn(course, facts).find(
    ({ unit, lockedBy }) => lockedBy.length === 0 && !facts.completedUnits.has(unit.unitId),
  );
  return open?.unit ?? null;
}

export function shownSummary(course: PublishedCourse, facts: Facts) {
  const { courseId, version, title, description, requiresEntitlement } = course;
  const units = unitsOf(course);
  const locked = unitsIn(course, facts).find(({ lockedBy }) => lockedBy.length > 0);
  return {
    courseId,
    version,
    title,
    description,
    requiresEntitlement,
    unitsTotal: units.length,
    unitsCompleted: units.filter(({ unitId }) => facts.completedUnits.has(unitId)).length,
    nextUnitId: nextUnit(course, facts)?.unitId ?? null,
    unlocksNext: locked ? { unitId: locked.unit.unitId, lockedBy: locked.lockedBy } : null,
  };
}

export function shownModule(
  course: PublishedCourse,
  module: PublishedModule,
  facts: Facts,
  progress: CourseProgress | null,
) {
  const { moduleId, title } = module;
  const lockedBy = missingForModule(course, module, facts);
  return {
    moduleId,
    title,
    isUnlocked: lockedBy.length === 0,
    lockedBy,
    hasPackage: isModuleOpen(course, module, facts),
    units: module.units.map((unit) => {
      const missing = missingForUnit(course, module, unit, facts);
      const known = unitIn(progress, unit.unitId);
      return {
        unitId: unit.unitId,
        type: unit.type,
        title: unit.title,
        minutes: unit.minutes,
        isUnlocked: missing.length === 0,
        lockedBy: missing,
        percent: known?.percent ?? 0,
        completedAt: known?.completedAt ?? null,
      };
    }),
  };
}

/** @returns null where no unit of this version has the id */
export function unitWithLocks(course: PublishedCourse, unitId: string, facts: Facts) {
  const found = findUnit(course, unitId);
  return found && { ...found, lockedBy: missingForUnit(course, found.module, found.unit, facts) };
}
