import { type AuthorizationRequest, accessesOf, type KnownTable } from './iam-accesses.ts';
import type { Denial } from './service/failure.ts';
import { wildcardMatch } from './wildcard.ts';

/**
 * IAM by the rules of https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html within
 * one account: an explicit deny of either policy wins, else an allow of either is needed.
 *
 * It fails closed. If it cannot evaluate a statement, an Allow does not apply and a Deny does. Examples: an unknown
 * condition key or operator, a policy variable, the keys of a table without a known schema.
 */
export type Statement = {
  Effect: 'Allow' | 'Deny';
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Principal?: unknown;
  NotPrincipal?: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
};

/** A role's ARN and its identity policies, already resolved. */
export type Principal = {
  arn: string;
  statements: Statement[];
  /** One of AWS's own services, with its name in place of an ARN. */
  isService?: boolean;
};

/** A resource with a policy of its own: a table, a bucket. The policy also covers everything below its ARN. */
export type Policed = { readonly arn: string; readonly policy?: readonly Statement[] };

/** `keys` and `indexes` are needed only if a policy names dynamodb:LeadingKeys. */
export type PolicedTable = KnownTable & Policed;

type Verdict = 'met' | 'unmet' | 'unknown';

export function authorize(
  { action, input }: { action: string; input: Record<string, unknown> },
  principal: Principal,
  tables: PolicedTable[],
): Denial | undefined {
  for (const access of accessesOf(action, input, tables)) {
    const denial = authorizeAccess(access, principal, tables);
    if (denial) return denial;
  }
  return undefined;
}

/**
 * Checks a call about a KMS key. The key's policy decides first: IAM can allow only what this policy leaves to the
 * account. A grant of the key's policy to a role is not enough here, so the check fails closed.
 * https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
 */
export function authorizeKey(
  access: AuthorizationRequest,
  principal: Principal,
  policy: readonly Statement[],
): Denial | undefined {
  const { action, resource } = access;
  const said = policy.filter((one) => concerns(one, principal) && applies(one, access, principal));
  const refusal = { action, resource, principal: principal.arn };
  if (said.some(({ Effect }) => Effect === 'Deny')) {
    return { ...refusal, reason: 'with an explicit deny in a resource-based policy' };
  }
  if (said.length > 0) return authorizeAccess(access, principal);
  return { ...refusal, reason: `because no resource-based policy allows the ${action} action` };
}

/** Checks one access. @param resources the resources that have policies of their own */
export function authorizeAccess(
  access: AuthorizationRequest,
  principal: Principal,
  resources: readonly Policed[] = [],
): Denial | undefined {
  // A stream can have a policy of its own, but no template here declares one.
  const isStream = access.action.startsWith('dynamodb:') && access.resource.includes('/stream/');
  const policed = isStream
    ? undefined
    : resources.find(({ arn }) => access.resource === arn || access.resource.startsWith(`${arn}/`));
  const byIdentity = principal.statements.filter((statement) => applies(statement, access, principal));
  const byResource = (policed?.policy ?? []).filter(
    (statement) => concerns(statement, principal) && applies(statement, access, principal),
  );
  const refusal = { action: access.action, resource: access.resource, principal: principal.arn };
  const isDeny = ({ Effect }: Statement) => Effect === 'Deny';
  if (byIdentity.some(isDeny)) return { ...refusal, reason: 'with an explicit deny in an identity-based policy' };
  if (byResource.some(isDeny)) return { ...refusal, reason: 'with an explicit deny in a resource-based policy' };
  if (byIdentity.length + byResource.length > 0) return undefined;
  return { ...refusal, reason: `because no identity-based policy allows the ${access.action} action` };
}

function applies(statement: Statement, access: AuthorizationRequest, principal: Principal): boolean {
  const { Effect, Action, NotAction, Resource, NotResource, Condition = {} } = statement;
  const action = access.action.toLowerCase();
  const named = (patterns: string | string[]) =>
    listOf(patterns).some((pattern) => wildcardMatch(pattern.toLowerCase(), action));
  if (Action !== undefined ? !named(Action) : NotAction === undefined || named(NotAction)) return false;
  const covered = (patterns: string | string[]) =>
    listOf(patterns).some((pattern) => wildcardMatch(pattern, access.resource));
  if (Resource !== undefined ? !covered(Resource) : NotResource !== undefined && covered(NotResource)) return false;

  const verdicts = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => test(operator, key.toLowerCase(), listOf(values), access, principal)),
  );
  if (verdicts.includes('unmet')) return false;
  return Effect === 'Deny' || !verdicts.includes('unknown');
}

/** Does a statement of a resource policy concern this principal? */
function concerns({ Principal, NotPrincipal }: Statement, principal: Principal): boolean {
  const account = accountOf(principal.arn);
  const includes = (element: unknown): boolean => {
    if (element === '*') return true;
    const aws = element && typeof element === 'object' && 'AWS' in element ? element.AWS : undefined;
    const names = aws === undefined ? [] : listOf(aws as string | string[]);
    return names.some((name) => [principal.arn, account, `arn:aws:iam::${account}:root`, '*'].includes(name));
  };
  return Principal !== undefined ? includes(Principal) : NotPrincipal !== undefined && !includes(NotPrincipal);
}

type Compare = (value: string, wanted: string) => boolean;
const COMPARES: Record<string, Compare> = {
  StringEquals: (value, wanted) => value === wanted,
  StringEqualsIgnoreCase: (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
  StringLike: (value, wanted) => wildcardMatch(wanted, value),
  ArnEquals: arnLike,
  ArnLike: arnLike,
  Bool: (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
  NumericEquals: (value, wanted) => Number(value) === Number(wanted),
  NumericLessThan: (value, wanted) => Number(value) < Number(wanted),
  NumericLessThanEquals: (value, wanted) => Number(value) <= Number(wanted),
  NumericGreaterThan: (value, wanted) => Number(value) > Number(wanted),
  NumericGreaterThanEquals: (value, wanted) => Number(value) >= Number(wanted),
};

function test(
  operator: string,
  key: string,
  wanted: string[],
  access: AuthorizationRequest,
  principal: Principal,
): Verdict {
  const [, set, name = '', ifExists] = /^(?:(ForAnyValue|ForAllValues):)?(\w+?)(IfExists)?$/.exec(operator) ?? [];
  const values = valuesOf(key, access, principal);
  if (values === 'unknown' || wanted.some((value) => String(value).includes('${'))) return 'unknown';
  if (name === 'Null') return verdict(wanted.some((value) => (String(value) === 'true') === (values === undefined)));
  const isNegated = name.includes('Not');
  const compare = COMPARES[name.replace('Not', '')];
  if (!compare || name === 'NotBool') return 'unknown';

  if (values === undefined) {
    if (ifExists || set === 'ForAllValues') return 'met';
    return verdict(isNegated && set !== 'ForAnyValue');
  }
  const matches = (value: string) => wanted.some((one) => compare(value, String(one))) !== isNegated;
  // Several values under a single-valued operator: AWS leaves the result open. Here one matching value is enough.
  return verdict(set === 'ForAllValues' ? values.every(matches) : values.some(matches));
}

const KNOWN = ['enclosingoperation', 'attributes', 'leadingkeys', 'returnvalues', 'select'].map(
  (key) => `dynamodb:${key}`,
);

function valuesOf(
  key: string,
  { context, unknown }: AuthorizationRequest,
  principal: Principal,
): string[] | undefined | 'unknown' {
  if (unknown.includes(key)) return 'unknown';
  if (KNOWN.includes(key) || key.startsWith('s3:') || key in context) return context[key];
  switch (key) {
    case 'aws:principalarn':
      return principal.isService ? undefined : [principal.arn];
    case 'aws:principalaccount':
    case 'aws:resourceaccount':
      return [accountOf(principal.arn)];
    case 'aws:securetransport':
      // The SDK's calls to AWS use TLS. Calls on this machine do not, but a policy sees no difference.
      return ['true'];
    case 'aws:viaawsservice':
      return ['false'];
    case 'aws:principalisawsservice':
      return [String(principal.isService === true)];
    default:
      return 'unknown';
  }
}

function verdict(met: boolean): Verdict {
  return met ? 'met' : 'unmet';
}

function accountOf(arn: string): string {
  return arn.split(':')[4] ?? '';
}

/** ARNs are compared part by part, so a wildcard does not match a colon (except in the last part). */
function arnLike(value: string, pattern: string): boolean {
  const split = (arn: string) => {
    const parts = arn.split(':');
    return [...parts.slice(0, 5), parts.slice(5).join(':')];
  };
  const parts = split(pattern);
  return split(value).every((part, i) => wildcardMatch(parts[i] ?? '', part));
}

function listOf<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}
