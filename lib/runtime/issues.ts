import type * as z from 'zod/mini';
import { type Issue, type IssueCode, issueCodes } from '../contract/issues.ts';

/** @param value the checked value: it shows whether something is missing or of another type */
export function issuesOf(place: Issue['in'], error: z.core.$ZodError, value: unknown): Issue[] {
  return error.issues.map((issue) => ({
    in: place,
    path: written(issue.path),
    code: codeOf(issue, valueAt(value, issue.path) === undefined),
    message: issue.message,
  }));
}

function codeOf(issue: z.core.$ZodIssue, isMissing: boolean): IssueCode {
  if (issue.code === 'custom') return issueCodes.find((code) => code === issue.params?.code) ?? 'invalid_value';
  // Only what is there has a size, also if it was sent in another form, and is not found under its path.
  if (isMissing && issue.code !== 'too_big' && issue.code !== 'too_small') return 'required';
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_format':
      return issue.code;
    case 'too_small':
      return isCounted(issue.origin) ? 'too_short' : 'too_small';
    case 'too_big':
      return isCounted(issue.origin) ? 'too_long' : 'too_big';
    // A name in a map whose names have a form of their own.
    case 'invalid_key': {
      const [inner] = issue.issues;
      return inner ? codeOf(inner, false) : 'invalid_value';
    }
    default:
      return 'invalid_value';
  }
}

/** Types that have a length; numbers and times have none. */
function isCounted(origin: string): boolean {
  return ['string', 'array', 'map', 'set', 'file', 'object'].includes(origin);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (holder, step) =>
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
        ? Reflect.get(holder, step)
        : undefined,
    value,
  );
}

/** `['a', 'b', 0]` → `a.b[0]`. */
function written(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
