import {
  extensionOf,
  idOfUrl,
  type Node,
  nodeOf,
  nodesOf,
  type Problem,
  textOf,
  urls,
} from '../../questionnaires/rules.ts';

/**
 * Converts a FHIR R4 QuestionnaireResponse from any source to a draft, as PUT accepts it. The result must still be
 * checked against the form of a draft and its questionnaire. Anything that has no place in a draft is refused, so that
 * no answer is lost silently.
 */

type Issue = Problem & { readonly in: 'body' };
export type ReadResponse = { readonly body: Record<string, unknown> } | { readonly issues: Issue[] };
type ImportedAnswers = { readonly answers: Record<string, unknown>[]; readonly issues: Issue[] };

/** More deeply nested groups than a definition may have. */
const deepest = 10;

/** More than these problems are not reported. */
const mostIssues = 100;

/** `entered-in-error` says that the whole response is a mistake. */
const statuses = ['in-progress', 'completed', 'amended', 'stopped'];

export function draftOfFhir(resource: unknown): ReadResponse {
  const node = nodeOf(resource) ?? {};
  if (node.resourceType !== 'QuestionnaireResponse') {
    return { issues: [wrong('resourceType', 'invalid_value', 'must be QuestionnaireResponse')] };
  }
  const found: ImportedAnswers = { answers: [], issues: [] };
  const [url, version] = (textOf(node.questionnaire) ?? '').split('|');
  const questionnaireId = idOfUrl(url);
  if (questionnaireId === null || !version) {
    const message = 'must be the canonical URL of a questionnaire of this service, and after a | its version';
    found.issues.push(wrong('questionnaire', 'invalid_value', message));
  }
  if (!statuses.includes(textOf(node.status) ?? '')) {
    found.issues.push(wrong('status', 'invalid_value', `must be one of ${statuses.join(', ')}`));
  }
  refuseModifiers(node, '', found);
  readItems(node, '', 0, found);
  if (found.issues.length > 0) return { issues: found.issues.slice(0, mostIssues) };
  const bundleId = textOf(extensionOf(node, urls.bundle)?.valueString);
  return {
    body: {
      questionnaireId,
      version,
      ...(bundleId !== undefined && { bundleId }),
      answers: found.answers,
      ...recordedAt(node.authored),
    },
  };
}

/** They can reverse the meaning of an element, so FHIR forbids ignoring them. */
function refuseModifiers(node: Node, within: string, { issues }: ImportedAnswers): void {
  for (const name of ['modifierExtension', 'implicitRules']) {
    if (node[name] !== undefined) issues.push(wrong(`${within}${name}`, 'invalid_value', 'is not known here'));
  }
}

/** FHIR also accepts a year or a day as a time. Such a time cannot show which phone wrote later. */
function recordedAt(authored: unknown): { readonly recordedAt?: unknown } {
  const isDate = typeof authored === 'string' && /^\d{4}(-\d\d){0,2}$/.test(authored);
  return authored === undefined || isDate ? {} : { recordedAt: authored };
}

/** Items can be inside items and inside answers. */
function readItems(node: Node, within: string, depth: number, found: ImportedAnswers): void {
  if (node.item === undefined) return;
  const path = `${within}item`;
  if (depth > deepest) return void found.issues.push(wrong(path, 'too_long', 'is nested too deeply'));
  for (const [index, item] of listOf(node.item, path, found).entries()) {
    const here = `${path}[${index}]`;
    refuseModifiers(item, `${here}.`, found);
    const values = item.answer === undefined ? [] : listOf(item.answer, `${here}.answer`, found);
    if (values.length > 1) found.issues.push(wrong(`${here}.answer`, 'repeated', 'must be one answer'));
    const [value] = values;
    if (value) {
      refuseModifiers(value, `${here}.answer[0].`, found);
      const answer = answerOf(value);
      if (answer) found.answers.push({ linkId: item.linkId, ...answer });
      else
        found.issues.push(
          wrong(`${here}.answer[0]`, 'invalid_type', 'must have one value of a type that is answered here'),
        );
      readItems(value, `${here}.answer[0].`, depth + 1, found);
    }
    readItems(item, `${here}.`, depth + 1, found);
  }
}

function listOf(value: unknown, path: string, { issues }: ImportedAnswers): Node[] {
  const nodes = nodesOf(value);
  if (!Array.isArray(value) || nodes.length < value.length)
    issues.push(wrong(path, 'invalid_type', 'must be a list of objects'));
  return nodes;
}

/** Which field of an answer has the value, and how it is read. */
const fields: Readonly<Record<string, (value: unknown) => Record<string, unknown>>> = {
  valueCoding: (value) => ({ choice: nodeOf(value)?.code }),
  valueInteger: (integer) => ({ integer }),
  valueDecimal: (decimal) => ({ decimal }),
  valueBoolean: (boolean) => ({ boolean }),
  valueDate: (date) => ({ date }),
  // FHIR's times have seconds, ours have none. Seconds other than 0 are kept here, and are refused later.
  valueTime: (time) => ({ time: textOf(time)?.replace(/^(\d\d:\d\d):00(\.0+)?$/, '$1') ?? time }),
  valueString: (text) => ({ text }),
};

/** Null if it has no value or several values, or a value of a type that no item here has. */
function answerOf(node: Node): Record<string, unknown> | null {
  const [name, ...more] = Object.keys(node).filter((key) => key.startsWith('value'));
  if (name === undefined || more.length > 0 || !Object.hasOwn(fields, name)) return null;
  return fields[name]?.(node[name]) ?? null;
}

function wrong(path: string, code: Problem['code'], message: string): Issue {
  return { in: 'body', path, code, message };
}
