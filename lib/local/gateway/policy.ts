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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @returns the verdict, or why API Gateway would report a configuration error: the output does not fit "Output from a
 * Lambda authorizer".
 */
export function parseVerdict(output: unknown): AuthorizerVerdict | string {
  if (!isRecord(output)) return 'the authorizer returned no object';
  const { principalId, policyDocument, context, usageIdentifierKey } = output;
  if (typeof principalId !== 'string' || principalId === '') return 'principalId is not a string';
  if (!isRecord(policyDocument)) return 'policyDocument is not an object';
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
  if (!isRecord(statement)) return 'policyDocument.Statement is not a statement';
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
  if (!isRecord(context)) return 'context is not an object';
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

/** `*` is any text, slashes too, `?` one character. The time is never exponential, for any pattern. */
export function wildcardMatch(pattern: string, value: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let index = 0;
  while (index < value.length) {
    if (pattern[at] === '*') {
      star = at++;
      resume = index;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === value[index])) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
