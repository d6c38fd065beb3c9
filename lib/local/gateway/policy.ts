import { isJsonObject } from '../json.ts';
import { wildcardMatch } from '../wildcard.ts';

/** Evaluates what a Lambda authorizer returned: an IAM policy over the method's ARN. */

type Part = { readonly patterns: readonly string[]; readonly negated: boolean };
type PolicyStatement = { readonly effect: 'Allow' | 'Deny'; readonly action: Part; readonly resource: Part };

export type AuthorizerVerdict = {
  readonly principalId: string;
  /** "The returned values are all stringified." */
  readonly context: Readonly<Record<string, string>>;
  readonly usageIdentifierKey: string | null;
  readonly statements: readonly PolicyStatement[];
};

/**
 * @returns the verdict, or why API Gateway would report a configuration error: the output does not fit "Output from a
 * Lambda authorizer".
 */
export function parseVerdict(output: unknown): AuthorizerVerdict | string {
  if (!isJsonObject(output)) return 'the authorizer returned no object';
  const { principalId, policyDocument, context, usageIdentifierKey } = output;
  if (typeof principalId !== 'string' || principalId === '') return 'principalId is not a string';
  if (!isJsonObject(policyDocument)) return 'policyDocument is not an object';
  const listed = policyDocument.Statement;
  const statements: PolicyStatement[] = [];
  for (const statement of Array.isArray(listed) ? listed : [listed]) {
    const parsed = parseStatement(statement);
    if (typeof parsed === 'string') return parsed;
    statements.push(parsed);
  }
  const values = parseContext(context);
  if (typeof values === 'string') return values;
  if (usageIdentifierKey !== undefined && usageIdentifierKey !== null && typeof usageIdentifierKey !== 'string') {
    return 'usageIdentifierKey is not a string';
  }
  return { principalId, context: values, usageIdentifierKey: usageIdentifierKey ?? null, statements };
}

function parseStatement(statement: unknown): PolicyStatement | string {
  if (!isJsonObject(statement)) return 'policyDocument.Statement is not a statement';
  const effect = statement.Effect;
  if (effect !== 'Allow' && effect !== 'Deny') return 'a statement has no Effect of Allow or Deny';
  if (statement.Condition !== undefined) return 'a statement has a Condition, which the local stage does not evaluate';
  const action = parsePart(statement.Action, statement.NotAction);
  const resource = parsePart(statement.Resource, statement.NotResource);
  if (!action) return 'a statement has no Action';
  if (!resource) return 'a statement has no Resource';
  return { effect, action, resource };
}

function parsePart(value: unknown, negative: unknown): Part | null {
  const given = value ?? negative;
  const patterns = Array.isArray(given) ? given : [given];
  if (!patterns.every((pattern) => typeof pattern === 'string')) return null;
  return { patterns, negated: value === undefined };
}

function parseContext(context: unknown): Record<string, string> | string {
  if (context === undefined || context === null) return {};
  if (!isJsonObject(context)) return 'context is not an object';
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(context)) {
    // "You cannot set a JSON object or array as a valid value of any key in the context map."
    if (!['string', 'number', 'boolean'].includes(typeof value))
      return `context.${name} is no string, number or boolean`;
    values[name] = String(value);
  }
  return values;
}

/** `explicit-deny` wins; without an Allow the result is `deny`. */
export function evaluate(verdict: AuthorizerVerdict, methodArn: string): 'allow' | 'deny' | 'explicit-deny' {
  let allowed = false;
  for (const { effect, action, resource } of verdict.statements) {
    // Actions are case-insensitive, resources are not (IAM JSON policy elements).
    const applies = matches(action, 'execute-api:invoke', true) && matches(resource, methodArn, false);
    if (applies && effect === 'Deny') return 'explicit-deny';
    allowed ||= applies;
  }
  return allowed ? 'allow' : 'deny';
}

function matches({ patterns, negated }: Part, value: string, lower: boolean): boolean {
  return patterns.some((pattern) => wildcardMatch(lower ? pattern.toLowerCase() : pattern, value)) !== negated;
}
