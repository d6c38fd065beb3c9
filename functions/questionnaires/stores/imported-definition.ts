import * as z from 'zod/mini';
import type { Issue } from '../../../lib/contract/issues.ts';
import { issuesOf } from '../../../lib/runtime/issues.ts';
import type { Definition } from '../rules/definition.ts';
import { definitionProblems } from '../rules/definition-problems.ts';
import { importedOf } from '../rules/fhir-import.ts';
import { QuestionnaireContent } from '../schemas.ts';

/** Reads a FHIR Questionnaire from another system as a definition that could be published. */

type Content = Omit<Definition, 'questionnaireId' | 'version'>;

export type Read =
  | { readonly issues: Issue[] }
  | {
      readonly issues: null;
      readonly questionnaireId: string | null;
      readonly version: string | null;
      readonly definition: Content;
      readonly notes: readonly string[];
    };

const id = /^[A-Za-z0-9._-]{1,64}$/;

export function readImported(resource: Readonly<Record<string, unknown>>): Read {
  const imported = importedOf(resource);
  if (!imported) {
    const message = 'must be Questionnaire';
    return { issues: [{ in: 'body', path: 'resource.resourceType', code: 'invalid_value', message }] };
  }
  const { definition, questionnaireId, version, notes } = imported;
  const fitting = z.safeParse(QuestionnaireContent, definition);
  if (!fitting.success) return { issues: issuesOf('body', fitting.error, definition).map(ofResult) };
  const problems = definitionProblems({ questionnaireId: '', version: '', ...fitting.data });
  if (problems.length > 0) {
    return { issues: problems.map((problem) => ofResult({ in: 'body', code: 'inconsistent', ...problem })) };
  }
  const named = (name: string | null) => (name !== null && id.test(name) ? name : null);
  return {
    issues: null,
    questionnaireId: named(questionnaireId),
    version: named(version),
    definition: fitting.data,
    notes,
  };
}

/** The place in the resulting definition, which is close enough to the place in the resource. */
function ofResult(issue: Issue): Issue {
  return { ...issue, path: `resource → ${issue.path}` };
}
